"""Run one job of the workflow: ``python -m opchar.pipeline.jobs <kind> ...``.

A small job is handed to the preloaded server of the run, where there is one; others are done here.
"""

import sys

from opchar.pipeline.jobs.preloaded import asked, end_at_once

if __name__ == "__main__":
    end_at_once()
    status = asked(sys.argv[1:])
    if status is None:
        from opchar.pipeline.jobs.commands import main

        status = main()
    sys.exit(status)
