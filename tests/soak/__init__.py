"""Faults by the thousand: what `qa/soak.py` runs in full and the fast tests in part."""
