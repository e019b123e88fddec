"""What the conference paper on F-measure space says."""
