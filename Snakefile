include: "workflow/Snakefile"


rule everything:
    default_target: True
    input:
        everything_made,
    localrule: True
