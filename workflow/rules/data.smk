# What all jobs have in common, which run on one thread: the rules below say what each has of its own.
# It makes nothing itself: who asks for it is told so by the name of its input.
rule job:
    input:
        "no job of its own: name a file, or another rule",
    log:
        "logs/job.log",
    priority: FIRST
    conda:
        ENVIRONMENT
    params:
        files=files,
    shell:
        f"{START} {{params.task}} {{params.files}} 2> {{log:q}}"


use rule job as fetch_data with:
    input:
        unpack(reads(TASKS.fetch)),
    output:
        provenance=update("data/raw/{dataset}/PROVENANCE.json"),
    log:
        "logs/fetch/{dataset}.log",
    retries: 2
    # Where the workflow was started: the nodes of a cluster often have no network.
    localrule: True
    resources:
        **needs("fetch"),
    params:
        task=task("fetch", TASKS.fetch),
        files=files_and_plan,


use rule job as build_features with:
    input:
        unpack(reads(TASKS.features)),
    output:
        "data/features/{dataset}.json",
        table="data/features/{dataset}.parquet",
    log:
        "logs/features/{dataset}.log",
    resources:
        **needs("features"),
    params:
        task=task("features", TASKS.features),


# All models that studies read of a data set under a protocol, in one table with a column `model`.
use rule job as train_models with:
    input:
        features="data/features/{dataset}.parquet",
    output:
        "data/scores/{profile}/{dataset}/{table}.json",
        table="data/scores/{profile}/{dataset}/{table}.parquet",
    log:
        "logs/{profile}/train/{dataset}/{table}.log",
    benchmark:
        "logs/{profile}/train/{dataset}/{table}.tsv"
    resources:
        **needs("train"),
    params:
        task=task("train", TASKS.train),
