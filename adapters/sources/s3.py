"""Documents in a bucket of Amazon S3 or of a store with the same interface (MinIO, Ceph, Cloudflare R2)."""

import asyncio
import os
import re
import tempfile
import weakref
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from adapters.data_sections import S3Settings
from adapters.errors import SettingsError
from retrieval.errors import ArchiveNotFound, CorruptDocument, DocumentTooLarge, SourceDown
from retrieval.ingest.folder import ignored
from retrieval.parse.limits import Limits
from retrieval.values import Listing, SkippedFile, SourceFile

try:
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError
except ImportError as error:
    raise SettingsError("Buckets need boto3. Install it with `pip install 'pestle[s3]'`.") from error

PIECE = 2**20
"""Bytes fetched at once."""
AT_ONCE = 2 * (os.cpu_count() or 1)
"""Files on this machine's disk at a time."""
ATTEMPTS = 5
CONNECT_S, READ_S = 10, 60
UNSAFE = re.compile(r"[^\w.\- ()]+")
NOT_THERE = ("NoSuchBucket", "404")
NOT_ALLOWED = ("AccessDenied", "403", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken")


class Bucket:
    """`DocumentSource` of the objects below `place`, "bucket/prefix".

    An object whose ETag is that of the last ingest is not fetched again. Others are fetched into a temporary
    file each, never more than a few at a time. Keys may hold any characters; those that end with a slash are
    folders of some program, and left out.
    """

    def __init__(self, place: str, settings: S3Settings, limits: Limits | None = None) -> None:
        self._bucket, _, self._prefix = place.partition("/")
        if not self._bucket:
            raise ArchiveNotFound("The URL names no bucket. Write it as s3://bucket or s3://bucket/folder.")
        self._most = (limits or Limits()).file_bytes
        self._client = _client(settings)
        weakref.finalize(self, self._client.close)
        self._room = asyncio.Semaphore(AT_ONCE)

    async def listing(self) -> Listing:
        """The objects in order of their keys. Raises `ArchiveNotFound`, `SourceDown`."""
        with self._clear_errors():
            return await asyncio.to_thread(self._listing)

    @asynccontextmanager
    async def opened(self, file: SourceFile) -> AsyncIterator[Path]:
        """The object in a temporary file of the same kind. Raises `DocumentError`, `SourceDown`."""
        key = file.location.removeprefix(f"s3://{self._bucket}/")
        async with self._room:
            with tempfile.TemporaryDirectory(prefix="pestle-s3-") as folder, self._clear_errors():
                path = Path(folder, UNSAFE.sub("_", PurePosixPath(key).name)[-100:])
                await asyncio.to_thread(self._fetch, key, path)
                yield path

    def _listing(self) -> Listing:
        below = f"{self._prefix.rstrip('/')}/" if self._prefix else ""
        files: list[SourceFile] = []
        skipped: list[SkippedFile] = []
        unseen: list[str] = []
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=below.rstrip("/")
        )
        for found in (found for page in pages for found in page.get("Contents", ())):
            key, size = found["Key"], found["Size"]
            if key == self._prefix:  # one document
                return Listing("", (self._file(key, PurePosixPath(key).name, found),))
            name = key.removeprefix(below)
            if not key.startswith(below) or key.endswith("/") or any(map(ignored, name.split("/"))):
                continue
            if size > self._most:
                reason = f"It has {size:,} bytes, over the limit of {self._most:,}. Split the document."
                skipped.append(SkippedFile(name, reason))
                unseen.append(f"s3://{self._bucket}/{key}")
            else:
                files.append(self._file(key, name, found))
        root = f"s3://{self._bucket}/{below}"
        return Listing(root, tuple(files), tuple(skipped), unseen=tuple(unseen))

    def _file(self, key: str, name: str, found: dict[str, Any]) -> SourceFile:
        return SourceFile(f"s3://{self._bucket}/{key}", name, found["ETag"].strip('"'), found["Size"])

    def _fetch(self, key: str, path: Path) -> None:
        """Write an object to a file, piece by piece, not trusting the size that was listed."""
        written = 0
        body = self._client.get_object(Bucket=self._bucket, Key=key)["Body"]
        with path.open("wb") as file, body:
            for piece in body.iter_chunks(PIECE):
                written += file.write(piece)
                if written > self._most:
                    raise DocumentTooLarge(f"{key} is over {self._most:,} bytes. Split the document.")

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        """Say what the store answered in this project's errors."""
        place = f"s3://{self._bucket}"
        try:
            yield
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            if code == "NoSuchKey":
                raise CorruptDocument("It was deleted while the bucket was read. Ingest again.") from error
            if code in NOT_THERE:
                raise ArchiveNotFound(f"There is no bucket {self._bucket}. Check its name.") from error
            if code in NOT_ALLOWED:
                raise SourceDown(
                    f"{place} refuses access ({code}). Check PESTLE_S3_ACCESS_KEY and PESTLE_S3_SECRET_KEY, "
                    "or the account's rights to list and get objects."
                ) from error
            raise SourceDown(f"{place} answered {code}. Try again later.") from error
        except BotoCoreError as error:
            raise SourceDown(
                f"{place} cannot be reached: {error}. Check PESTLE_S3_ENDPOINT and the credentials."
            ) from error


def _client(settings: S3Settings) -> Any:
    """A client with the keys that are set, else with those that the SDK finds (profile, role, variables)."""
    keys = {
        "aws_access_key_id": settings.access_key.get_secret_value() or None,
        "aws_secret_access_key": settings.secret_key.get_secret_value() or None,
        "endpoint_url": settings.endpoint or None,
        "region_name": settings.region or None,
    }
    limits = {"max_attempts": ATTEMPTS, "mode": "standard"}
    config = Config(
        connect_timeout=CONNECT_S, read_timeout=READ_S, retries=limits, max_pool_connections=2 * AT_ONCE
    )
    try:
        return boto3.client("s3", config=config, **keys)
    except (BotoCoreError, ValueError) as error:
        raise SettingsError(f"The settings for buckets are not right: {error}.") from error
