rule fetch_data:
    output:
        update("data/raw/{dataset}/PROVENANCE.json"),
    log:
        "logs/fetch/{dataset}.log",
    priority: FIRST
    retries: 2
    # Where the workflow was started: the nodes of a cluster often have no network.
    localrule: True
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("fetch"),
        runtime=minutes("fetch"),
    params:
        job=fetch_job,
    shell:
        command(
            "fetch --job {params.job:q} --data {wildcards.dataset:q}"
            " --output {output:q} 2> {log:q}"
        )
