use rule run_metric as run_ibc with:
    wildcard_constraints:
        experiment=names("ibc"),
