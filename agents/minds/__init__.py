"""Minds: steps with two minds, prompts and skills, agents that call tools, critics and hooks."""
