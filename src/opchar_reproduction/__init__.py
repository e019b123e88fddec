"""The reproduction of the publications: what they print, what this project measures, the report."""
