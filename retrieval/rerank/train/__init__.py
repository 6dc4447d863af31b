"""The recipe of the compact reranker: judged data, candidates of our own search, folds, training."""
