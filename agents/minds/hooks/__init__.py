"""Hooks: what is done before, during and after an agent's work, in code and not in a prompt."""

from agents.minds.hooks.citation_check import CitationCheck
from agents.minds.hooks.compress import Compress
from agents.minds.hooks.contradictions import Contradictions
from agents.minds.hooks.hook import Hook
from agents.minds.hooks.inject import Inject
from agents.minds.hooks.serialise import Serialise

__all__ = ["CitationCheck", "Compress", "Contradictions", "Hook", "Inject", "Serialise"]
