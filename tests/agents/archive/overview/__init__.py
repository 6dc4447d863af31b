"""Questions over the whole archive."""
