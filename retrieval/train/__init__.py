"""Training of rerankers: judged data, candidates of our own search, the weights, their measures and scale."""
