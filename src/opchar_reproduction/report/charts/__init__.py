"""Charts of the pages, as inline SVG that keeps its text at one size on every screen."""
