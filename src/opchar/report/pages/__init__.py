"""The pages of the report, its citations and its RO-Crate."""
