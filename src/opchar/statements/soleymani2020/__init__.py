"""What the journal paper on F-measure space says."""
