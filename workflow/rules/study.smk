rule run_metric:
    input:
        scores=read_by(PLAN.experiment_scores, "profile", "experiment"),
        features=read_by(PLAN.experiment_features, "experiment"),
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
        kind="measure",
        task=task(TASKS.experiment, "profile", "experiment"),
    shell:
        command(
            "{params.kind} {params.task} --scores {input.scores:q} --features {input.features:q}"
            " --table {output.table:q} --curves {output.curves:q} 2> {log:q}"
        )


use rule run_metric as run_anova with:
    wildcard_constraints:
        experiment=names("anova"),


use rule run_metric as run_vus with:
    wildcard_constraints:
        experiment=names("vus"),


use rule run_metric as run_reject with:
    wildcard_constraints:
        experiment=names("reject"),


use rule run_metric as run_ibc with:
    wildcard_constraints:
        experiment=names("ibc"),


use rule run_metric as run_costs with:
    wildcard_constraints:
        experiment=names("costs"),


use rule run_metric as run_variants with:
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
    params:
        kind="variants",
        task=task(TASKS.variants, "profile", "experiment"),
