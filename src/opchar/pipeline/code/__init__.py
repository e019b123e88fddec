"""What code a function reaches, and its hash."""
