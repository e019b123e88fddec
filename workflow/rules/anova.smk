use rule run_metric as run_anova with:
    wildcard_constraints:
        experiment=names("anova"),
