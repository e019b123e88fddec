use rule job as run_metric with:
    input:
        unpack(reads(TASKS.experiment)),
    output:
        table="results/{profile}/experiments/{experiment}.csv",
        curves="results/{profile}/experiments/{experiment}.parquet",
    log:
        "logs/{profile}/experiments/{experiment}.log",
    benchmark:
        "logs/{profile}/experiments/{experiment}.tsv"
    wildcard_constraints:
        experiment=one_of(PLAN.experiments("metric")),
    resources:
        **needs("experiment"),
    params:
        task=task("measure", TASKS.experiment),


use rule run_metric as run_anova with:
    wildcard_constraints:
        experiment=one_of(PLAN.experiments("anova")),


use rule run_metric as run_vus with:
    wildcard_constraints:
        experiment=one_of(PLAN.experiments("vus")),


use rule run_metric as run_reject with:
    wildcard_constraints:
        experiment=one_of(PLAN.experiments("reject")),


use rule run_metric as run_ibc with:
    wildcard_constraints:
        experiment=one_of(PLAN.experiments("ibc")),


use rule run_metric as run_costs with:
    wildcard_constraints:
        experiment=one_of(PLAN.experiments("costs")),


use rule run_metric as run_variants with:
    output:
        table="results/{profile}/variants/{experiment}.csv",
        curves="results/{profile}/variants/{experiment}.parquet",
    log:
        "logs/{profile}/variants/{experiment}.log",
    benchmark:
        "logs/{profile}/variants/{experiment}.tsv"
    wildcard_constraints:
        experiment=one_of(
            name
            for name in PLAN.experiments()
            if "variants" in CONFIG.experiments[name]
        ),
    priority: SECOND
    params:
        task=task("variants", TASKS.variants),
