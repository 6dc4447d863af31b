"""The groups of settings on where data are kept and come from, each field with its default and, in its
description, its unit.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, SecretStr

from adapters.section import Section, listed
from agents.programs.values import MB, Limits


class DatabaseSettings(Section):
    """Where runs, conversations and the outbox are kept."""

    url: Annotated[str, Field(description="SQLAlchemy URL; empty: a SQLite file in PESTLE_HOME")] = ""


class SandboxSettings(Section):
    """Programs that runs execute, in a sandbox without network; beyond a limit a program is ended."""

    used: Annotated[bool, Field(description="false: no program is ever run")] = True
    seconds: Annotated[float, Field(description="seconds that one program may take", gt=0)] = 300.0
    processor: Annotated[float, Field(description="seconds of processor time", gt=0)] = 600.0
    memory: Annotated[int, Field(description="MB of memory, of all its processes together", gt=0)] = 2_000
    processes: Annotated[int, Field(description="processes and threads at a time", gt=0)] = 128
    disk: Annotated[int, Field(description="MB that it may write to files, kept in memory", gt=0)] = 500
    output: Annotated[int, Field(description="MB that it may print to each of its outputs", gt=0)] = 20
    reads: Annotated[
        tuple[Path, ...],
        BeforeValidator(listed),
        Field(description="folders beside /usr that programs may read: /opt/R,/data/genes"),
    ] = ()

    @property
    def limits(self) -> Limits:
        """The limits in bytes."""
        return Limits(
            self.seconds,
            self.processor,
            self.memory * MB,
            self.processes,
            self.disk * MB,
            self.output * MB,
        )


class RedisSettings(Section):
    """The queue between the bot and the workers."""

    url: Annotated[
        str,
        Field(
            description="redis:// URL; empty: runs are carried in this process",
            pattern=r"^((rediss?|unix)://.*)?$",
        ),
    ] = ""


class IndexSettings(Section):
    """The archive's index."""

    path: Annotated[str, Field(description="index file; empty: archive.db in PESTLE_HOME")] = ""
    weights: Annotated[
        str, Field(description="folder with all-MiniLM-L6-v2; empty: its installed package")
    ] = ""


class IngestSettings(Section):
    """Reading documents."""

    workers: Annotated[int, Field(description="processes that parse; 0: one for each core", ge=0)] = 0
    file_seconds: Annotated[
        float, Field(description="seconds for one file, and for each scanned page of it", gt=0)
    ] = 300.0
    file_memory: Annotated[int, Field(description="MB of memory for a process that parses", ge=512)] = 4096
    file_chunks: Annotated[
        int, Field(description="chunks of one document that are searched; what is beyond is told", gt=0)
    ] = 5000


class ElasticsearchSettings(Section):
    """An Elasticsearch that keeps the archive's index. Without `url` the index is a file."""

    url: Annotated[
        str, Field(description="such as https://search:9200; several nodes with commas; empty: an index file")
    ] = ""
    api_key: Annotated[SecretStr, Field(description="API key as Elasticsearch encodes it")] = SecretStr("")
    ca_certs: Annotated[
        str, Field(description="file with the authority of its certificate; empty: the system's")
    ] = ""
    fingerprint: Annotated[
        str,
        Field(
            description="SHA-256 fingerprint of its certificate",
            pattern=r"^(([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}|[0-9A-Fa-f]{64}|)$",
        ),
    ] = ""
    alias: Annotated[
        str, Field(description="name of the archive there", pattern=r"^[a-z0-9][a-z0-9._-]{0,200}$")
    ] = "pestle-archive"
    shards: Annotated[int, Field(description="pieces of a new index", ge=1)] = 1
    replicas: Annotated[int, Field(description="copies of each piece on other nodes", ge=0)] = 1
    candidates: Annotated[
        int, Field(description="windows a search by meaning looks at in each shard", ge=1, le=10_000)
    ] = 200
    timeout: Annotated[float, Field(description="seconds for one request", gt=0)] = 30.0
    patience: Annotated[float, Field(description="seconds a search is tried again", ge=0)] = 5.0
    write_patience: Annotated[float, Field(description="seconds a write is tried again", ge=0)] = 300.0

    @property
    def urls(self) -> tuple[str, ...]:
        """The nodes' addresses."""
        return tuple(url.strip() for url in self.url.split(",") if url.strip())


class SourcesSettings(Section):
    """Public databases (`pestle sources`)."""

    live: Annotated[
        bool,
        Field(
            description="ask public databases over the network for what is not loaded; the names of targets "
            "then leave the house"
        ),
    ] = False
    folder: Annotated[
        str, Field(description="where loaded files are kept; empty: databases in PESTLE_HOME")
    ] = ""
    mode: Annotated[
        Literal["live", "record", "replay"],
        Field(
            description="record: ask, and write each reply into `snapshot`; replay: use what is there alone"
        ),
    ] = "live"
    snapshot: Annotated[str, Field(description="folder of recorded replies")] = ""
    cache_days: Annotated[
        float, Field(description="days for which a reply is not asked for again; 0: always ask", ge=0)
    ] = 7.0
    timeout: Annotated[float, Field(description="seconds for one reply of a database", gt=0)] = 20.0
    ncbi_key: Annotated[SecretStr, Field(description="key of NCBI: 10 requests a second instead of 3")] = (
        SecretStr("")
    )
    openfda_key: Annotated[SecretStr, Field(description="key of openFDA: more requests a day")] = SecretStr(
        ""
    )


class S3Settings(Section):
    """Buckets that documents are read from (`pestle ingest s3://bucket/folder`)."""

    endpoint: Annotated[
        str, Field(description="address of a store that is not Amazon's, such as http://minio:9000")
    ] = ""
    region: Annotated[str, Field(description="region; empty: as the AWS configuration says")] = ""
    access_key: Annotated[
        SecretStr, Field(description="key id; empty: as the AWS configuration or the machine's role says")
    ] = SecretStr("")
    secret_key: Annotated[SecretStr, Field(description="secret of the key")] = SecretStr("")
