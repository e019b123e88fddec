"""Data made of pictures: faces, their patterns, and features of deep networks."""
