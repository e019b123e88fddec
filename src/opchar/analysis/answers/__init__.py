"""One question a module, asked of the scores of all models."""
