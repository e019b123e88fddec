"""Jobs that judge measurements: statements, readings, the ledger."""

import pandas as pd

# Columns of few short texts, of which rows are chosen again and again, are faster as plain objects.
OF_SHORT_TEXTS = pd.option_context("mode.string_storage", "python")
