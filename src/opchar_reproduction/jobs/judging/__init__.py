"""Jobs that judge measurements: statements, variants, the ledger."""
