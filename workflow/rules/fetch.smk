rule fetch_data:
    output:
        "data/raw/{dataset}/PROVENANCE.json",
    log:
        "logs/fetch/{dataset}.log",
    conda:
        ENVIRONMENT
    params:
        job=fetch_job,
        policy=CONFIG.settings["policy"],
        mirrors=mirrors,
        folders=folders,
    shell:
        "python -m opchar.jobs fetch --data {wildcards.dataset} --policy {params.policy}"
        " --mirrors {params.mirrors:q} --folders {params.folders:q} --output {output} 2> {log}"
