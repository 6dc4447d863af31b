"""The dry lab: programs for the tasks of a protocol, what they are run on, and how others repeat them."""
