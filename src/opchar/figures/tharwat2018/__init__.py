"""Figures of tharwat2018, drawn from the curves of its experiments."""
