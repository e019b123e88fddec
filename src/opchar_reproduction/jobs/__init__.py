"""What the workflow's rules run: a module a kind of job, so that each job's hash holds its own.

A job is given its part of the configuration, its seed and its files. It reads files, calls one
function of the library, of an experiment or of a renderer, and writes files whole or not at all.
"""
