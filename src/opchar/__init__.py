"""Operating characteristics of classifiers under imbalance, unknown costs and shifting priors."""

__version__ = "0.1.0"
