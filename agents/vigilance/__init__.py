"""Pharmacovigilance as a kind of run (MALADE): does a class of drugs raise or lower the risk of an outcome."""
