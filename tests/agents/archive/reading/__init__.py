"""What a model reads, and how its quotes are found."""
