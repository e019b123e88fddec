"""``python -m opchar.cli``."""

import sys

from opchar.cli import main

if __name__ == "__main__":
    sys.exit(main())
