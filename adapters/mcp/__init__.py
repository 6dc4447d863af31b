"""The Model Context Protocol: the house's tools for other programs, and other programs' tools for the house.

Only this package imports `mcp`, and it is imported only where it is needed: it takes a second to load.
"""
