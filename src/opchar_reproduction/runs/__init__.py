"""A run of the workflow: which files are up to date, which are made again, and its progress."""
