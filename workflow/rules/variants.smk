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
            "variants --job {params.job:q} --name {wildcards.experiment:q}"
            " --profile {wildcards.profile:q} --table {output.table:q} --curves {output.curves:q} 2> {log:q}"
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
            "compare_variants --job {params.job:q} --paper {wildcards.paper:q}"
            " --profile {wildcards.profile:q} --published {input.published:q} --output {output:q} 2> {log:q}"
        )
