"""Synthesis sections as rules write them, from what research found; nothing is retrieved here."""
