"""Pharmacovigilance as a kind of run (MALADE): does a class of drugs change the risk of an outcome?"""
