"""`opchar ask`: general claims of the works, asked of models on other data sets."""
