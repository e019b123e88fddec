rule run_metric:
    input:
        scores=experiment_scores,
        features=experiment_features,
    output:
        table="results/{profile}/experiments/{experiment}.csv",
        curves="results/{profile}/experiments/{experiment}.parquet",
    log:
        "logs/{profile}/experiments/{experiment}.log",
    benchmark:
        "logs/{profile}/experiments/{experiment}.tsv"
    wildcard_constraints:
        experiment=names("metric"),
    priority: FIRST
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("experiment"),
        runtime=minutes("experiment"),
    params:
        job=experiment_job,
    shell:
        command(
            "experiment --job {params.job:q} --name {wildcards.experiment:q}"
            " --profile {wildcards.profile:q} --table {output.table:q} --curves {output.curves:q} 2> {log:q}"
        )
