"""Evaluation of the archive pipeline: question sets, scoring, and a check of every citation."""
