"""What the publications say, as functions over measurements: one function a claim."""
