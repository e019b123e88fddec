"""Decisions from scored samples: thresholds by several rules and their spread, priors in use.

They stand above `opchar.spaces`, whose envelopes they search, and `opchar.statistics`, which
calibrates scores.
"""
