"""The archive run (DiscoVerse): from a question over the archive of drug candidates to a cited, structured
answer.
"""
