rule build_features:
    input:
        raw_data,
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
        job=features_job,
    shell:
        command(
            "features --job {params.job:q} --data {wildcards.dataset:q}"
            " --raw {input:q} --output {output.table:q} 2> {log:q}"
        )
