# One job trains the models whose score tables the same jobs read: a rule each, since their names
# differ. It leaves a table that is as its record says, made of the same features by the same code.
for trained in TRAININGS:

    rule:
        name:
            trained
        input:
            feature_tables(trained),
        output:
            tables=[update(file) for file in score_tables(trained)],
            provenance=[update(file) for file in score_provenance(trained)],
        log:
            f"logs/{PROFILE}/train/{subject(TRAININGS[trained])}.log",
        benchmark:
            f"logs/{PROFILE}/train/{subject(TRAININGS[trained])}.tsv"
        priority: FIRST
        conda:
            ENVIRONMENT
        threads: 1
        resources:
            mem_mb=memory("train"),
            runtime=minutes("train"),
        params:
            job=train_job(trained),
            short=short_job(trained),
            rule=trained,
            profile=PROFILE,
        shell:
            command(
                "train --job {params.short:q} --rule {params.rule:q} --profile {params.profile:q} 2> {log:q}"
            )
