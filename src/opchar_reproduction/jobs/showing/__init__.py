"""Jobs that draw figures, lay out tables and write pages."""
