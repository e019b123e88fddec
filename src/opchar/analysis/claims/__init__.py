"""`opchar ask`: general claims of the works, asked of a user's own scores."""

from opchar.analysis.claims.asking import ask
from opchar.analysis.claims.listing import General, shipped

__all__ = ["General", "ask", "shipped"]
