"""Hooks: what is done before, during and after an agent's work."""
