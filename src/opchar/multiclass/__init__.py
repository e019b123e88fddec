"""Operating characteristics of problems with more than two classes.

`hypersurface` has the ROC over all combinations of weights and `volume` what is under it;
`neyman_pearson` limits errors, `cost_weights` finds weights for given costs, and `decomposition`
treats groups of classes apart. What belongs to known Gaussians is in `gaussians`.
"""
