"""Digests: what is new for a channel, told on a schedule, once for each time that the schedule names."""
