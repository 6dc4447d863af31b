"""Tools: what a run or a model may call, with typed input and replies that can be cited."""
