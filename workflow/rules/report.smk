rule compare_with_print:
    input:
        results=read_by(PLAN.results, "profile"),
        statements=read_by(PLAN.statement_tables, "profile"),
        weights=read_by(PLAN.weights, "profile"),
        published=PLAN.published_files("values", "errata", "causes", "apart"),
        margins=from_here(MARGINS),
    output:
        ledger="results/{profile}/report/ledger.csv",
        summaries=[
            "results/{profile}/report/multiple-comparisons.csv",
            "results/{profile}/report/by-artefact.csv",
            "results/{profile}/report/by-cause.csv",
        ],
    log:
        "logs/{profile}/ledger.log",
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("ledger"),
        runtime=minutes("ledger"),
    params:
        task=task(TASKS.ledger, "profile"),
    shell:
        command(
            "ledger {params.task} --results {input.results:q} --statements {input.statements:q}"
            " --weights {input.weights:q} --published {input.published:q} {input.margins:q}"
            " --table {output.ledger:q} --summaries {output.summaries:q} 2> {log:q}"
        )


rule gather_scores:
    input:
        read_by(PLAN.run_scores, "profile"),
    output:
        "results/{profile}/explorer.json",
    log:
        "logs/{profile}/explorer.log",
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("report"),
        runtime=minutes("report"),
    params:
        task=task(TASKS.explorer, "profile"),
    shell:
        command(
            "explorer {params.task} --scores {input:q} --output {output:q} 2> {log:q}"
        )


rule write_report:
    input:
        ledger="results/{profile}/report/ledger.csv",
        summaries=read_by(PLAN.ledger_summaries, "profile"),
        results=read_by(PLAN.results, "profile"),
        statements=read_by(PLAN.statement_tables, "profile"),
        weights=read_by(PLAN.weights, "profile"),
        made=read_by(PLAN.shown_records, "profile"),
        provenance=read_by(PLAN.provenance, "profile"),
        explored="results/{profile}/explorer.json",
        curves=read_by(PLAN.page_curves, "profile"),
        published=PLAN.published_files(
            "about", "catalogue", "values", "errata", "leads"
        ),
        proofread=PLAN.proofread(),
        citation=(ROOT / "CITATION.cff").as_posix(),
    output:
        "results/{profile}/report/index.html",
    log:
        "logs/{profile}/report.log",
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("report"),
        runtime=minutes("report"),
    params:
        job=read_by(TASKS.report_job, "profile"),
        artefacts=read_by(PLAN.shown_studies, "profile"),
    shell:
        command(
            f"report --job {{params.job:q}} --planned {PLANNED}"
            " --ledger {input.ledger:q} --summaries {input.summaries:q}"
            " --results {input.results:q} --statements {input.statements:q}"
            " --weights {input.weights:q} --artefacts {params.artefacts:q}"
            " --provenance {input.provenance:q} --explored {input.explored:q}"
            " --curves {input.curves:q} --output {output:q}"
            " --published {input.published:q} {input.proofread:q} {input.citation:q} 2> {log:q}"
        )
