"""One set of operating points and its upper hull, seen in every space.

`operating_points` counts a scored sample once; everything else, areas, envelopes, optimal
thresholds and comparisons, follows from its points.

Examples
--------
>>> from opchar.spaces.f_measure import upper_envelope
>>> from opchar.spaces.points import operating_points
>>> points = operating_points([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.3, 0.2])
>>> envelope = upper_envelope(points, alpha=0.5)
>>> envelope.threshold([0.1, 0.9]).tolist()
[0.9, 0.7]
"""
