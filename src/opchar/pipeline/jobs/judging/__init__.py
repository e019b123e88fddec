"""Jobs that judge measurements: statements, readings, the ledger."""
