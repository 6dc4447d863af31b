"""The connection: what it makes of errors, and how it is secured."""

import hashlib
import ssl
import subprocess
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from retrieval.errors import (
    EncoderMismatch,
    IndexDamaged,
    IndexForbidden,
    IndexUnavailable,
    RetrievalError,
    StorageFull,
)
from retrieval.index.elastic.index import ElasticIndex
from retrieval.index.elastic.mapping import meta
from retrieval.index.elastic.server import Server
from tests.retrieval.index.elastic.fake import Answer, answering
from tests.support.hashing import HashingEncoder
from tests.support.services import program

ENCODER = HashingEncoder(8)


def failure(status: int, kind: str, reason: str) -> tuple[int, dict[str, Any]]:
    return status, {"error": {"type": kind, "reason": reason}, "status": status}


async def used(server: Server) -> None:
    """Opens the index, as the first search does."""
    index = ElasticIndex(server, ENCODER)
    try:
        await index.records()
    finally:
        await index.close()


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (failure(401, "security_exception", "no"), IndexForbidden, "PESTLE_ELASTICSEARCH_API_KEY"),
        (failure(403, "security_exception", "is unauthorized"), IndexForbidden, "role"),
        (failure(503, "no_shard_available_action_exception", "x"), IndexUnavailable, "does not answer"),
        (failure(429, "circuit_breaking_exception", "too large"), IndexUnavailable, "does not answer"),
        (
            failure(403, "cluster_block_exception", "index has read-only-allow-delete block"),
            StorageFull,
            "disk is full",
        ),
        (failure(400, "illegal_argument_exception", "something odd"), IndexDamaged, "something odd"),
    ],
)
async def test_every_answer_has_its_error(
    answer: tuple[int, dict[str, Any]], error: type[RetrievalError], message: str
) -> None:
    async with answering(lambda request, body: answer) as url:
        with pytest.raises(error, match=message):
            await used(Server((url,), patience=0.3, write_patience=0.3))


@pytest.mark.parametrize(
    ("said", "error", "message"),
    [
        ({}, IndexDamaged, "not made by Pestle"),
        ({**meta(ENCODER), "format": 99}, IndexDamaged, "another version of Pestle"),
        (meta(HashingEncoder(16)), EncoderMismatch, "pestle reindex"),
    ],
)
async def test_an_index_that_is_not_ours_is_not_touched(
    said: dict[str, object], error: type[RetrievalError], message: str
) -> None:
    mapping = {"pestle-archive-v000001": {"mappings": {"_meta": said}}}
    async with answering(lambda request, body: (200, mapping)) as url:
        with pytest.raises(error, match=message):
            await used(Server((url,)))


async def test_a_server_that_is_not_there_is_named_with_what_to_do() -> None:
    message = r"http://127\.0\.0\.1:9 does not answer.*PESTLE_ELASTICSEARCH_URL"
    with pytest.raises(IndexUnavailable, match=message):
        await used(Server(("http://127.0.0.1:9",), patience=0.3))


async def test_the_key_is_sent_and_never_shown() -> None:
    seen: list[str] = []

    def refuse(request: web.Request, body: bytes) -> Answer:
        seen.append(request.headers.get("Authorization", ""))
        return failure(403, "security_exception", "no")

    async with answering(refuse) as url:
        server = Server((url,), api_key="very-secret")
        with pytest.raises(IndexForbidden) as caught:
            await used(server)
    assert seen[0] == "ApiKey very-secret"
    assert "very-secret" not in repr(server) + str(caught.value)


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, str]:
    """A certificate of the test's own making, with its key in the same file; and its fingerprint."""
    path = tmp_path / "server.pem"
    how = f"req -x509 -newkey rsa:2048 -nodes -days 2 -keyout {path} -out {path}.crt -subj /CN=localhost"
    name = ("-addext", "subjectAltName=IP:127.0.0.1")
    subprocess.run([program("openssl"), *how.split(), *name], check=True, capture_output=True)
    text = Path(f"{path}.crt").read_text()
    path.write_text(path.read_text() + text)
    return path, hashlib.sha256(ssl.PEM_cert_to_DER_cert(text)).hexdigest()


async def test_a_certificate_is_trusted_only_when_it_is_known(certificate: tuple[Path, str]) -> None:
    path, fingerprint = certificate
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)

    async with answering(lambda request, body: failure(401, "security_exception", "who?"), context) as url:
        for unknown in (Server((url,)), Server((url,), fingerprint="0" * 64)):
            with pytest.raises(IndexForbidden, match=r"certificate that is not trusted.*ca_certs or finger"):
                await used(unknown)
        for known in (Server((url,), ca_certs=str(path)), Server((url,), fingerprint=fingerprint)):
            with pytest.raises(IndexForbidden, match="PESTLE_ELASTICSEARCH_API_KEY"):
                await used(known)
