include: "workflow/Snakefile"


rule everything:
    default_target: True
    input:
        PLAN.everything(PROFILE),
    localrule: True
