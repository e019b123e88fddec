"""Experiments of tharwat2018, the tutorial: worked examples, identities, curves of 20 samples."""
