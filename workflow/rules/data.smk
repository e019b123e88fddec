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
        task=task(TASKS.fetch, "dataset"),
    shell:
        command(
            f"fetch {{params.task}} --planned {PLANNED}"
            " --provenance {output:q} 2> {log:q}"
        )


rule build_features:
    input:
        read_by(PLAN.raw, "dataset"),
    output:
        table="data/features/{dataset}.parquet",
        provenance="data/features/{dataset}.json",
    log:
        "logs/features/{dataset}.log",
    priority: FIRST
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("features"),
        runtime=minutes("features"),
    params:
        task=task(TASKS.features, "dataset"),
    shell:
        command(
            "features {params.task} --raw {input:q} --table {output.table:q} 2> {log:q}"
        )
