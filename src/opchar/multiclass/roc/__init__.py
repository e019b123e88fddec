"""The ROC of problems with more than two classes, and the volume under it."""
