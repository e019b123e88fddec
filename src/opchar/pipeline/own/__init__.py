"""What is a user's own: entries, what is made of them, a folder."""
