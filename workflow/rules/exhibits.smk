# One job draws the figures of a study and writes its tables.
rule show_study:
    input:
        results=read_by(PLAN.shown_results, "profile", "paper", "study"),
        curves=read_by(PLAN.shown_curves, "profile", "paper", "study"),
        published=read_by(PLAN.shown_print, "profile", "paper", "study"),
    output:
        # What was made, by content: Snakemake has no digest of a folder.
        record="results/{profile}/made/{paper}/{study}.json",
        folder=report(
            directory("results/{profile}/{paper}/{study}"),
            patterns=["{artefact}.svg", "{artefact}.csv"],
            caption="../report/artefact.rst",
            category="{paper}",
            subcategory="{study}",
            labels={"artefact": "{artefact}"},
        ),
    log:
        "logs/{profile}/{paper}/{study}.log",
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
        task=task(TASKS.exhibits, "profile", "paper", "study"),
    shell:
        command(
            "exhibits {params.task} --results {input.results:q} --curves {input.curves:q}"
            " --published {input.published:q} --folder {output.folder:q} 2> {log:q}"
        )


rule judge_statements:
    input:
        results=read_by(PLAN.judged_results, "profile", "paper"),
        curves=read_by(PLAN.judged_curves, "profile", "paper"),
    output:
        "results/{profile}/statements/{paper}.csv",
    log:
        "logs/{profile}/statements/{paper}.log",
    priority: FIRST
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("statements"),
        runtime=minutes("statements"),
    params:
        task=task(TASKS.statements, "profile", "paper"),
    shell:
        command(
            "statements {params.task} --results {input.results:q} --curves {input.curves:q}"
            " --table {output:q} 2> {log:q}"
        )


rule compare_variants:
    input:
        results=read_by(PLAN.compared_results, "profile", "paper"),
        curves=read_by(PLAN.compared_curves, "profile", "paper"),
        other_results=read_by(PLAN.other_results, "profile", "paper"),
        other_curves=read_by(PLAN.other_curves, "profile", "paper"),
        published=read_by(PLAN.printed_numbers, "paper"),
    output:
        "results/{profile}/variants/{paper}.csv",
        "results/{profile}/variants/{paper}-cells.csv",
        "results/{profile}/variants/{paper}-statements.csv",
    log:
        "logs/{profile}/variants/{paper}.log",
    priority: SECOND
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("statements"),
        runtime=minutes("statements"),
    params:
        task=task(TASKS.compare_variants, "profile", "paper"),
    shell:
        command(
            "compare {params.task} --results {input.results:q} --curves {input.curves:q}"
            " --other-results {input.other_results:q} --other-curves {input.other_curves:q}"
            " --published {input.published:q} --tables {output:q} 2> {log:q}"
        )
