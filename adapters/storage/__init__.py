"""Durable storage in SQL: ledger, outbox and conversations in one database, so that they commit together."""

from adapters.storage.storage import Storage, open_storage

__all__ = ["Storage", "open_storage"]
