use rule run_metric as run_vus with:
    wildcard_constraints:
        experiment=names("vus"),
