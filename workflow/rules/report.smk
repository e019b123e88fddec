rule judge_statements:
    input:
        results=statement_results,
        curves=statement_curves,
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
        job=statements_job,
    shell:
        command(
            "statements --job {params.job:q} --paper {wildcards.paper:q}"
            " --profile {wildcards.profile:q} --output {output:q} 2> {log:q}"
        )


rule compare_with_print:
    input:
        results=all_results,
        statements=all_judged,
        weights=all_weights,
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
        job=ledger_job,
    shell:
        command(
            "ledger --job {params.job:q} --profile {wildcards.profile:q}"
            " --published {input.published:q} {input.margins:q}"
            " --output {output.ledger:q} --summaries {output.summaries:q} 2> {log:q}"
        )


rule gather_scores:
    input:
        scores=all_scores,
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
        job=explorer_job,
    shell:
        command(
            "explorer --job {params.job:q} --profile {wildcards.profile:q}"
            " --output {output:q} 2> {log:q}"
        )


rule write_report:
    input:
        ledger="results/{profile}/report/ledger.csv",
        summaries=all_summaries,
        results=all_results,
        statements=all_judged,
        weights=all_weights,
        artefacts=all_artefacts,
        provenance=all_provenance,
        explored="results/{profile}/explorer.json",
        curves=page_curves,
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
        job=report_job,
    shell:
        command(
            "report --job {params.job:q} --profile {wildcards.profile:q}"
            " --ledger {input.ledger:q} --published {input.published:q} {input.proofread:q} {input.citation:q}"
            " --explored {input.explored:q}"
            " --output {output:q} 2> {log:q}"
        )
