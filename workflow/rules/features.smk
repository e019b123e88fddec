rule build_features:
    input:
        raw_data,
    output:
        table="data/features/{dataset}.parquet",
        provenance="data/features/{dataset}.json",
    log:
        "logs/features/{dataset}.log",
    conda:
        ENVIRONMENT
    params:
        job=features_job,
        seed=SEED,
    shell:
        "python -m opchar.jobs features --data {wildcards.dataset} --seed {params.seed}"
        " --raw {input} --output {output.table} 2> {log}"
