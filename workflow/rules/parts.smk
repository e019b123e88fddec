rule measure_part:
    input:
        part_scores,
    output:
        "results/{profile}/parts/{experiment}/{part}.parquet",
    log:
        "logs/{profile}/parts/{experiment}/{part}.log",
    benchmark:
        "logs/{profile}/parts/{experiment}/{part}.tsv"
    wildcard_constraints:
        experiment=names_in_parts(),
        part="[a-z0-9-]+",
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("experiment"),
        runtime=minutes("experiment"),
    params:
        job=part_job,
    shell:
        command(
            "part --job {params.job:q} --name {wildcards.experiment} --part {wildcards.part}"
            " --profile {wildcards.profile} --scores {input} --output {output} 2> {log}"
        )
