"""The skin: everything that talks to something outside, the settings, and the wiring."""
