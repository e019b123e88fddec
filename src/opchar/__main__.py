"""``python -m opchar`` is the command line."""

import sys

from opchar.cli import main

if __name__ == "__main__":
    sys.exit(main())
