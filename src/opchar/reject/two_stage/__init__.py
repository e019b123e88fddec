"""Systems of a detector and a classifier, designed for costs and priors."""
