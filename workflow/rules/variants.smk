rule run_variants:
    input:
        scores=experiment_scores,
        features=experiment_features,
    output:
        table="results/{profile}/variants/{experiment}.csv",
        curves="results/{profile}/variants/{experiment}.parquet",
    log:
        "logs/{profile}/variants/{experiment}.log",
    benchmark:
        "logs/{profile}/variants/{experiment}.tsv"
    wildcard_constraints:
        experiment=names_with_variants(),
    priority: SECOND
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("experiment"),
        runtime=minutes("experiment"),
    params:
        job=variants_job,
    shell:
        command(
            "variants --job {params.job:q} --name {wildcards.experiment}"
            " --profile {wildcards.profile} --scores {input.scores} --features {input.features}"
            " --table {output.table} --curves {output.curves} 2> {log}"
        )


rule compare_variants:
    input:
        results=compared_results,
        curves=compared_curves,
        other_results=other_results,
        other_curves=other_curves,
        published=printed_numbers,
    output:
        "results/{profile}/variants/{paper}.csv",
        "results/{profile}/variants/{paper}-cells.csv",
        "results/{profile}/variants/{paper}-statements.csv",
    log:
        "logs/{profile}/variants/{paper}.log",
    priority: SECOND
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("statements"),
        runtime=minutes("statements"),
    params:
        job=compare_variants_job,
    shell:
        command(
            "compare_variants --job {params.job:q} --paper {wildcards.paper}"
            " --profile {wildcards.profile} --results {input.results} --curves {input.curves}"
            " --other-results {input.other_results} --other-curves {input.other_curves}"
            " --published {input.published} --output {output} 2> {log}"
        )
