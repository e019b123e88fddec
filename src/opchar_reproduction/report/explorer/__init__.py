"""What the explorer of the report shows: score tables, the charting library, turned surfaces."""
