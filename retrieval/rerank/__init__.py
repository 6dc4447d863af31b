"""Rerankers: how well a text answers a question, comparable across questions."""
