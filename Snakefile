include: "workflow/Snakefile"


rule everything:
    default_target: True
    input:
        rules.all.input,
    localrule: True
