rule train_model:
    input:
        "data/features/{dataset}.parquet",
    output:
        table="data/scores/{profile}/{dataset}/{protocol}/{model}.parquet",
        provenance="data/scores/{profile}/{dataset}/{protocol}/{model}.json",
    log:
        "logs/{profile}/train/{dataset}/{protocol}/{model}.log",
    conda:
        ENVIRONMENT
    params:
        job=train_job,
        seed=SEED,
    shell:
        "python -m opchar.jobs train --data {wildcards.dataset} --protocol {wildcards.protocol}"
        " --profile {wildcards.profile} --seed {params.seed} --features {input}"
        " --output {output.table} 2> {log}"
