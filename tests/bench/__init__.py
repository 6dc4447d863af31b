"""`make bench`: speed and memory beside raw peers, measured in the same run."""
