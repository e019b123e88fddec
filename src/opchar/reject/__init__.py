"""Operating characteristics of classifiers that may reject."""
