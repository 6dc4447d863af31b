"""How well a search spends oracle calls, beside plain peers with the same budget."""
