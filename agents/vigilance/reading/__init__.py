"""What label passages say of an outcome: extracts, a verdict for each drug, and one for the class."""
