"""Recipes of the rerankers: judged data, candidates of our own search, folds, training."""
