"""What an archive's index looks like in Elasticsearch: fields, analysis, settings and names."""

import re
from typing import Any

from retrieval.ports import Encoder

FORMAT = 1
"""Counted up when an older index can no longer be read; `pestle reindex` brings it up to date."""

KEYWORD = {"type": "keyword"}
KEPT = {"type": "object", "enabled": False}
"""A field that is stored and returned, but never searched."""


def index_name(alias: str, number: int) -> str:
    """The index that the alias stands for in its `number`-th version: pestle-archive-v000001."""
    return f"{alias}-v{number:06}"


def version_number(name: str) -> int:
    """The number in the name of an index."""
    return int(name.rsplit("-v", 1)[1])


def vector_field(encoder_name: str) -> str:
    """Where an encoder's vectors are; several encoders fit side by side."""
    return "windows." + re.sub(r"[^a-z0-9]+", "_", encoder_name.lower()).strip("_")


def meta(encoder: Encoder) -> dict[str, object]:
    """What an index says about itself, checked whenever it is opened."""
    return {"format": FORMAT, "encoder": encoder.name, "dimension": encoder.dimension}


def index_body(encoder: Encoder, shards: int, replicas: int) -> dict[str, Any]:
    """Settings and mappings of a new index for vectors of this encoder."""
    return {
        "settings": {
            "number_of_shards": shards,
            "number_of_replicas": replicas,
            # Only a commit shows anything, so only a commit refreshes.
            "refresh_interval": "-1",
            "similarity": {"default": {"type": "BM25", "k1": 1.2, "b": 0.75}},
            "analysis": {"analyzer": analyzers()},
        },
        "mappings": {
            "dynamic": "strict",
            "_meta": meta(encoder),
            # What is made from `chunk` and `record` is not kept a second time.
            "_source": {"excludes": ["body"]},
            "properties": properties(encoder),
        },
    }


def analyzers() -> dict[str, object]:
    """Texts arrive as words with spaces between (`retrieval.index.words`), so that every index has the same.

    What is left is what SQLite's "porter unicode61 remove_diacritics 2" does to a word.
    """
    return {
        "english_words": {
            "type": "custom",
            "tokenizer": "whitespace",
            "filter": ["asciifolding", "porter_stem"],
        },
    }


def properties(encoder: Encoder) -> dict[str, object]:
    """The fields. An entry is a chunk, a document, a molecule or the state of the index, as `kind` says."""
    return {
        "kind": KEYWORD,
        # Which write it belongs to: see `retrieval.index.elastic.state`.
        "transaction": KEYWORD,
        "version": KEYWORD,
        # A chunk: what is searched.
        "chunk_id": KEYWORD,
        "ordinal": {"type": "integer"},
        "body": {"type": "text", "analyzer": "english_words"},
        "windows": {"type": "nested", "properties": {_last(vector_field(encoder.name)): dense(encoder)}},
        "sections": KEYWORD,
        # A chunk and its document: what is filtered on, in lower case.
        "doc_id": KEYWORD,
        "molecules": KEYWORD,
        "stages": KEYWORD,
        "phase": KEYWORD,
        "species": KEYWORD,
        "study_type": KEYWORD,
        "language": KEYWORD,
        # A keyword, since a date may be as inexact as "2004".
        "date": KEYWORD,
        # What is given back.
        "chunk": KEPT,
        "record": KEPT,
        "document": KEPT,
        "state": KEPT,
        # A molecule of the registry, with every name that the archive uses for it.
        "molecule": {
            "properties": {
                "name": KEYWORD,
                "documents": {"type": "integer"},
                "names": {"type": "nested", "properties": {"name": KEYWORD, "key": KEYWORD}},
            }
        },
    }


def dense(encoder: Encoder) -> dict[str, object]:
    """One window's vector: a graph over vectors in eight bits; the nearest are compared in full again."""
    return {
        "type": "dense_vector",
        "dims": encoder.dimension,
        "index": True,
        "similarity": "cosine",
        "index_options": {"type": "int8_hnsw", "m": 16, "ef_construction": 100},
    }


def _last(path: str) -> str:
    return path.rsplit(".", 1)[1]
