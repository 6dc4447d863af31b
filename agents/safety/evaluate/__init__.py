"""Evaluation of safety reports: curated effects, consistency of runs, evidential support and refinement."""
