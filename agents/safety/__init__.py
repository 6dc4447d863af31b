"""Target safety reports as a kind of run (TSAssistant): from a gene's name to a cited report."""
