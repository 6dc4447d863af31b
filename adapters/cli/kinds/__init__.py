"""Commands of kinds of runs: the module of a kind's name adds those that its `terminal` lists."""
