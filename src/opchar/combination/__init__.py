"""Boolean combination of classifiers.

`pairwise.pairwise` (Algorithm 1 of soleymani2020) and `iterative.iterative` (Khreich et al.) return
a `selection.Selection` whose `rules.Rule` objects people can read and apply to new scores;
`listing.run_listing` is the slow reference, `likelihood_ratio` the best that joint decisions
allow, `formulas` what the rates alone tell. `pools` lets all ways choose from a pool on one sample;
`samples` draws scores from a Gaussian model.
"""
