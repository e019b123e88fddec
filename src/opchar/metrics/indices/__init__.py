"""The indices themselves: one function each, over stacks of counts or matrices."""
