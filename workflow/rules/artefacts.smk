# One job makes the figures and tables of a study: a rule each, since their names differ.
for show in EXHIBITS:

    rule:
        name:
            show
        input:
            results=exhibit_sources(show)[0],
            curves=exhibit_sources(show)[1],
            published=published_lines(show),
        output:
            with_captions(show),
        log:
            f"logs/{PROFILE}/{show}.log",
        priority: FIRST
        group:
            "artefacts"
        conda:
            ENVIRONMENT
        threads: 1
        resources:
            mem_mb=memory("artefact"),
            runtime=minutes("artefact"),
        params:
            job=exhibits_job(show),
            rule=show,
            profile=PROFILE,
        shell:
            command(
                "exhibits --job {params.job:q} --rule {params.rule:q} --profile {params.profile:q}"
                " --results {input.results:q} --curves {input.curves:q}"
                " --published {input.published:q} --output {output:q} 2> {log:q}"
            )
