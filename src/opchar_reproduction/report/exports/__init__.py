"""The report for other programs: citations and the research object."""
