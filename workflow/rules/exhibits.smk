# One job draws the figures of a study and writes its tables.
use rule job as show_study with:
    input:
        unpack(reads(TASKS.exhibits)),
    output:
        # What was made, by content: Snakemake has no digest of a folder.
        "results/{profile}/made/{paper}/{study}.json",
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
    group:
        "artefacts"
    resources:
        **needs("artefact"),
    params:
        task=task("exhibits", TASKS.exhibits),


use rule job as judge_statements with:
    input:
        unpack(reads(TASKS.statements)),
    output:
        table="results/{profile}/statements/{paper}.csv",
    log:
        "logs/{profile}/statements/{paper}.log",
    resources:
        **needs("statements"),
    params:
        task=task("statements", TASKS.statements),


use rule job as compare_variants with:
    input:
        unpack(reads(TASKS.compare_variants)),
    output:
        tables=[
            "results/{profile}/variants/{paper}.csv",
            "results/{profile}/variants/{paper}-cells.csv",
            "results/{profile}/variants/{paper}-statements.csv",
        ],
    log:
        "logs/{profile}/variants/{paper}.log",
    priority: SECOND
    resources:
        **needs("statements"),
    params:
        task=task("compare", TASKS.compare_variants),
