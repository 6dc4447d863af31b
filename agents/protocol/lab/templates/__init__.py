"""R programs of the assay families, and what they read."""
