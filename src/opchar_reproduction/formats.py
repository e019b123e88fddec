"""The formats of figures and tables."""

FORMATS = {"figure": ("svg", "pdf", "png"), "table": ("csv", "md", "tex")}
