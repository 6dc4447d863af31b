"""Molecule design: scientists debate, oracles score, an optimiser searches, people decide."""
