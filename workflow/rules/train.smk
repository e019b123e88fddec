# All models that studies read of a data set under a protocol, in one table with a column `model`.
rule train_models:
    input:
        "data/features/{dataset}.parquet",
    output:
        table="data/scores/{profile}/{dataset}/{table}.parquet",
        provenance="data/scores/{profile}/{dataset}/{table}.json",
    log:
        "logs/{profile}/train/{dataset}/{table}.log",
    benchmark:
        "logs/{profile}/train/{dataset}/{table}.tsv"
    priority: FIRST
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("train"),
        runtime=minutes("train"),
    params:
        task=task(TASKS.train, "profile", "dataset", "table"),
    shell:
        command(
            "train {params.task} --features {input:q} --table {output.table:q} 2> {log:q}"
        )
