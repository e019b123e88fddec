"""Jobs that make data, scores and measurements."""
