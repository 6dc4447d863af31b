"""How good the search is: judged queries, measures, significance, and weights learnt in folds."""
