rule compare_with_print:
    input:
        results=all_results,
        published=expand(f"{PUBLISHED}/{{paper}}.csv", paper=CONFIG.settings["papers"]),
        errata=f"{PUBLISHED}/errata.csv",
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
    params:
        job=ledger_job,
        papers=CONFIG.settings["papers"],
    shell:
        "python -m opchar.jobs ledger --profile {wildcards.profile} --papers {params.papers} --results {input.results}"
        " --errata {input.errata} --output {output.ledger} --summaries {output.summaries} 2> {log}"


rule write_report:
    input:
        ledger="results/{profile}/report/ledger.csv",
        artefacts=all_artefacts,
        provenance=all_provenance,
        errata=f"{PUBLISHED}/errata.csv",
        leads=f"{PUBLISHED}/leads.csv",
        citation="CITATION.cff",
        works=f"{PUBLISHED}/papers.csv",
        labels=f"{PUBLISHED}/artefacts.csv",
    output:
        "results/{profile}/report/index.html",
    log:
        "logs/{profile}/report.log",
    conda:
        ENVIRONMENT
    params:
        job=report_job,
        papers=CONFIG.settings["papers"],
        seed=SEED,
    shell:
        "python -m opchar.jobs report --profile {wildcards.profile} --papers {params.papers}"
        " --ledger {input.ledger} --published {input.works} --provenance {input.provenance}"
        " 2> {log}"
