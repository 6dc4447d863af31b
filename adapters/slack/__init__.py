"""Slack: signed events in, Block Kit out."""
