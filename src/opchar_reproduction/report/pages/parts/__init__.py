"""What pages are put together from: items, cells, marks, evidence, formulas."""
