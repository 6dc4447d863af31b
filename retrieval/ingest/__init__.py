"""Ingest: what reads the files of an archive, describes each document and brings the index up to date."""
