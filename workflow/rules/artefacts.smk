rule lay_out_table:
    input:
        results=artefact_results,
        published=f"{PUBLISHED}/{{paper}}.csv",
    output:
        report(
            "results/{profile}/{paper}/{label}.csv",
            caption="../report/artefact.rst",
            category="{paper}",
            subcategory="tables",
            labels={"artefact": "{label}"},
        ),
        "results/{profile}/{paper}/{label}.md",
        "results/{profile}/{paper}/{label}.tex",
    log:
        "logs/{profile}/{paper}/{label}.log",
    wildcard_constraints:
        label=labels("table"),
    conda:
        ENVIRONMENT
    params:
        job=artefact_job,
        title=title,
        caption=caption,
    shell:
        "python -m opchar.jobs table --name {wildcards.paper}/{wildcards.label}"
        " --profile {wildcards.profile} --published {input.published} --output {output} 2> {log}"


rule draw_figure:
    input:
        results=artefact_results,
        curves=artefact_curves,
    output:
        report(
            "results/{profile}/{paper}/{label}.svg",
            caption="../report/artefact.rst",
            category="{paper}",
            subcategory="figures",
            labels={"artefact": "{label}"},
        ),
        "results/{profile}/{paper}/{label}.pdf",
        "results/{profile}/{paper}/{label}.png",
    log:
        "logs/{profile}/{paper}/{label}.log",
    wildcard_constraints:
        label=labels("figure"),
    conda:
        ENVIRONMENT
    params:
        job=artefact_job,
        title=title,
        caption=caption,
    shell:
        "python -m opchar.jobs figure --name {wildcards.paper}/{wildcards.label}"
        " --results {input.results} --curves {input.curves} --output {output} 2> {log}"
