"""Patterns over plain text: what its words say, whatever document it stands in."""
