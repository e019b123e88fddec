rule run_metric:
    input:
        scores=experiment_scores,
        features=experiment_features,
    output:
        table="results/{profile}/experiments/{experiment}.csv",
        curves="results/{profile}/experiments/{experiment}.parquet",
    log:
        "logs/{profile}/experiments/{experiment}.log",
    wildcard_constraints:
        experiment=names("metric"),
    conda:
        ENVIRONMENT
    params:
        job=experiment_job,
        seed=SEED,
    shell:
        "python -m opchar.jobs experiment --name {wildcards.experiment}"
        " --profile {wildcards.profile} --seed {params.seed} --scores {input.scores}"
        " --features {input.features} --table {output.table} --curves {output.curves} 2> {log}"
