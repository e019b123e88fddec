use rule job as compare_with_print with:
    input:
        unpack(reads(TASKS.ledger)),
    output:
        table="results/{profile}/report/ledger.csv",
        summaries=[
            "results/{profile}/report/multiple-comparisons.csv",
            "results/{profile}/report/by-artefact.csv",
            "results/{profile}/report/by-cause.csv",
        ],
    log:
        "logs/{profile}/ledger.log",
    priority: 0
    resources:
        **needs("ledger"),
    params:
        task=task("ledger", TASKS.ledger),


use rule job as gather_scores with:
    input:
        unpack(reads(TASKS.explorer)),
    output:
        output="results/{profile}/explorer.json",
    log:
        "logs/{profile}/explorer.log",
    priority: 0
    resources:
        **needs("report"),
    params:
        task=task("explorer", TASKS.explorer),


use rule job as write_report with:
    input:
        lambda wildcards: map(record_of, PLAN.shown_studies(wildcards.profile)),
        unpack(reads(TASKS.report)),
    output:
        output="results/{profile}/report/index.html",
    log:
        "logs/{profile}/report.log",
    priority: 0
    resources:
        **needs("report"),
    params:
        task=task("report", TASKS.report),
        files=files_and_plan,
