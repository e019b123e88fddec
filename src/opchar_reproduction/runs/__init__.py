"""A run of the workflow: what is up to date, what is made again, how far it is."""
