"""Whole runs under faults: killed, interrupted, refused by the machine, in odd places."""
