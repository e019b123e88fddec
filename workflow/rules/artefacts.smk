rule lay_out_table:
    input:
        results=artefact_results,
        published=published_lines,
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
    threads: 1
    resources:
        mem_mb=memory("artefact"),
        runtime=minutes("artefact"),
    params:
        job=artefact_job,
    shell:
        command(
            "table --job {params.job:q} --name {wildcards.paper}/{wildcards.label}"
            " --profile {wildcards.profile} --results {input.results} --published {input.published}"
            " --output {output} 2> {log}"
        )


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
    threads: 1
    resources:
        mem_mb=memory("artefact"),
        runtime=minutes("artefact"),
    params:
        job=artefact_job,
    shell:
        command(
            "figure --job {params.job:q} --name {wildcards.paper}/{wildcards.label}"
            " --profile {wildcards.profile} --results {input.results} --curves {input.curves}"
            " --output {output} 2> {log}"
        )
