"""Thinking: the run ledger, evidence and trust, and one pipeline per kind of run."""
