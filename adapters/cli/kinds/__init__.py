"""Commands of kinds of runs: the module of a kind's name has those that its `terminal` lists."""
