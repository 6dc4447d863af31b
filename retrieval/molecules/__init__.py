"""Molecules: their names in texts, the archive's registry of them, and the look-up of a name in it."""
