"""The ledger of published lines beside the reproduced ones, and the pages that show it."""
