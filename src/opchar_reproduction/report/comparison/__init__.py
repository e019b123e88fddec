"""Reproduced beside published values: the ledger, its verdicts and summaries."""
