rule run_readings:
    input:
        scores=experiment_scores,
        features=experiment_features,
    output:
        table="results/{profile}/readings/{experiment}.csv",
        curves="results/{profile}/readings/{experiment}.parquet",
    log:
        "logs/{profile}/readings/{experiment}.log",
    benchmark:
        "logs/{profile}/readings/{experiment}.tsv"
    wildcard_constraints:
        experiment=names_with_readings(),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("experiment"),
        runtime=minutes("experiment"),
    params:
        job=readings_job,
    shell:
        command(
            "readings --job {params.job:q} --name {wildcards.experiment}"
            " --profile {wildcards.profile} --scores {input.scores} --features {input.features}"
            " --table {output.table} --curves {output.curves} 2> {log}"
        )


rule weigh_readings:
    input:
        results=weighing_results,
        curves=weighing_curves,
        other_results=other_results,
        other_curves=other_curves,
        published=printed_numbers,
    output:
        "results/{profile}/readings/{paper}.csv",
        "results/{profile}/readings/{paper}-cells.csv",
        "results/{profile}/readings/{paper}-statements.csv",
    log:
        "logs/{profile}/readings/{paper}.log",
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("statements"),
        runtime=minutes("statements"),
    params:
        job=weighing_job,
    shell:
        command(
            "weighing --job {params.job:q} --paper {wildcards.paper}"
            " --profile {wildcards.profile} --results {input.results} --curves {input.curves}"
            " --other-results {input.other_results} --other-curves {input.other_curves}"
            " --published {input.published} --output {output} 2> {log}"
        )
