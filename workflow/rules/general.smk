# The general claims of the publications on each of the public sets whose models a run trains.
rule measure_general:
    input:
        general_scores,
    output:
        PLAN.general_measured("{profile}"),
    log:
        "logs/{profile}/general/measured.log",
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("experiment"),
        runtime=minutes("experiment"),
    params:
        job=asking_job,
    shell:
        command(
            "measure_general --job {params.job:q} --profile {wildcards.profile:q} --scores {input:q}"
            " --output {output:q} 2> {log:q}"
        )


rule judge_general:
    input:
        PLAN.general_measured("{profile}"),
    output:
        "results/{profile}/general/claims.csv",
    log:
        "logs/{profile}/general/claims.log",
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        mem_mb=memory("statements"),
        runtime=minutes("statements"),
    params:
        job=answering_job,
    shell:
        command(
            "judge_general --job {params.job:q} --profile {wildcards.profile:q} --measured {input:q}"
            " --output {output:q} 2> {log:q}"
        )
