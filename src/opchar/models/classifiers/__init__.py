"""The classifiers and detectors that the publications name."""
