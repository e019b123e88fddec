"""Faults by the thousand: what `tools/soak.py` runs in full and the fast tests in part."""
