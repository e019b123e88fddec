"""The commands of the reproduction."""
