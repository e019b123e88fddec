"""The old name of `opchar.printed`, which warns for one version."""

from opchar.printed import *  # noqa: F403
from opchar.retired import warn_of

warn_of("opchar.published", "opchar.printed")
