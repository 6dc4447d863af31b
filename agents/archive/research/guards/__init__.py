"""Guards: why a value that was found is not taken."""
