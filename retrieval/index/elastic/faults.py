"""Errors of Elasticsearch and of its client as errors of this floor."""

from aiohttp import ServerFingerprintMismatch
from elastic_transport import ConnectionError as NoConnection
from elastic_transport import ConnectionTimeout, TlsError, TransportError
from elasticsearch import ApiError

from retrieval.errors import IndexDamaged, IndexForbidden, IndexUnavailable, RetrievalError, StorageFull

BUSY = (429, 502, 503, 504)
"""Statuses of answers with which the server puts a request off."""
FULL = ("flood-stage", "read-only", "no space left")
"""What Elasticsearch says when its disk is full; it then refuses to write."""
SHOWN = 500
"""Characters of its own words that are passed on."""


def passing(error: BaseException) -> bool:
    """Whether the same call may succeed later."""
    if isinstance(error, ApiError):
        return _status(error) in BUSY and not full(_said(error))
    return isinstance(error, (NoConnection, ConnectionTimeout)) and not _untrusted(error)


def full(said: str) -> bool:
    """Whether an error comes from a full disk."""
    return any(part in said.lower() for part in FULL)


def translated(place: str, error: ApiError | TransportError) -> RetrievalError:
    """The error of this floor that an error of the client for the server at `place` stands for."""
    if isinstance(error, ApiError) and not passing(error):
        return refusal(place, _status(error), _said(error))
    if _untrusted(error):
        return IndexForbidden(
            f"Elasticsearch at {place} shows a certificate that is not trusted. "
            f"Set ca_certs or fingerprint in [elasticsearch]."
        )
    return IndexUnavailable(
        f"{silent(place, error)} Nothing is lost. Check that it runs and that PESTLE_ELASTICSEARCH_URL is "
        f"right, then repeat."
    )


def silent(place: str, error: ApiError | TransportError) -> str:
    """A sentence on a server that does not answer now."""
    return f"Elasticsearch at {place} does not answer ({_said(error)[:SHOWN]})."


def refusal(place: str, status: int, said: str) -> RetrievalError:
    """What an answer other than "not now" means. `said` are the server's own words."""
    who, said = f"Elasticsearch at {place}", said[:SHOWN]
    if full(said):
        return StorageFull(
            f"{who} does not write any more: its disk is full ({said}). All complete documents are kept. "
            f"Free some space there, then repeat."
        )
    if status in (401, 403):
        return IndexForbidden(
            f"{who} refuses ({said}). Check the API key in PESTLE_ELASTICSEARCH_API_KEY and its role; "
            f"docs/guide/elasticsearch.md has the role that is needed."
        )
    return IndexDamaged(
        f"{who} cannot do what was asked ({said}). If the index was changed by hand, ingest into a new one."
    )


def _said(error: ApiError | TransportError) -> str:
    """The server's or the connection's own words."""
    body = error.body if isinstance(error, ApiError) else None
    reason = body.get("error") if isinstance(body, dict) else None
    if isinstance(reason, dict):
        return f"{reason.get('type')}: {reason.get('reason')}"
    return str(error.message).split("\n")[0] or type(error).__name__


def _untrusted(error: BaseException) -> bool:
    """Whether the server is another than expected; the client has no error for a wrong fingerprint."""
    return isinstance(error, TlsError) or isinstance(error.__context__, ServerFingerprintMismatch)


def _status(error: ApiError) -> int:
    body = error.body
    return int(body["status"]) if isinstance(body, dict) and "status" in body else error.status_code
