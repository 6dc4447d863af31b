"""Adverse events in any section of a drug label, as preferred terms."""
