"""Microsoft Teams: signed activities in, Adaptive Cards out."""
