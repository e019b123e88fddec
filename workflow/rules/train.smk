rule train_model:
    input:
        "data/features/{dataset}.parquet",
    output:
        table="data/scores/{profile}/{dataset}/{protocol}/{model}.parquet",
        provenance="data/scores/{profile}/{dataset}/{protocol}/{model}.json",
    log:
        "logs/{profile}/train/{dataset}/{protocol}/{model}.log",
    benchmark:
        "logs/{profile}/train/{dataset}/{protocol}/{model}.tsv"
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("train"),
        runtime=minutes("train"),
    params:
        job=train_job,
    shell:
        command(
            "train --job {params.job:q} --data {wildcards.dataset}"
            " --protocol {wildcards.protocol} --profile {wildcards.profile} --features {input}"
            " --output {output.table} 2> {log}"
        )
