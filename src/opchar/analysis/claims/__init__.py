"""`opchar ask`: general claims of the works, asked of a user's own scores."""
