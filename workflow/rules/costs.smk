use rule run_metric as run_costs with:
    wildcard_constraints:
        experiment=names("costs"),
