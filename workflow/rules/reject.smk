use rule run_metric as run_reject with:
    wildcard_constraints:
        experiment=names("reject"),
