"""Molecules: reading, identity, properties, likeness, drawings, changes, and what is refused.

The only room that touches RDKit. Whatever draws or designs molecules comes here.
"""
