"""How data are split into training and test objects."""
