"""The groups of settings on where data are kept and come from, each field with its default and, in its
description, its unit.
"""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr

from adapters.section import Listed, Section
from agents.programs.values import MB, Limits


class DatabaseSettings(Section):
    """Where runs, conversations and the outbox are kept."""

    url: str = Field("", description="SQLAlchemy URL; empty: a SQLite file in PESTLE_HOME")


class SandboxSettings(Section):
    """Programs that runs execute, in a sandbox without network; beyond a limit a program is ended."""

    used: bool = Field(True, description="false: no program is ever run")
    seconds: float = Field(300.0, description="seconds that one program may take", gt=0)
    processor: float = Field(600.0, description="seconds of processor time", gt=0)
    memory: int = Field(2_000, description="MB of memory, of all its processes together", gt=0)
    processes: int = Field(128, description="processes and threads at a time", gt=0)
    disk: int = Field(500, description="MB that it may write to files, kept in memory", gt=0)
    output: int = Field(20, description="MB that it may print to each of its outputs", gt=0)
    reads: Listed[Path] = Field(
        (), description="folders beside /usr that programs may read: /opt/R,/data/genes"
    )

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

    url: str = Field(
        "",
        description="redis:// URL; empty: runs are carried in this process",
        pattern=r"^((rediss?|unix)://.*)?$",
    )


class IndexSettings(Section):
    """The archive's index."""

    path: str = Field("", description="index file; empty: archive.db in PESTLE_HOME")
    weights: str = Field("", description="folder with all-MiniLM-L6-v2; empty: its installed package")


class IngestSettings(Section):
    """Reading documents."""

    workers: int = Field(0, description="processes that parse; 0: one for each core", ge=0)
    file_seconds: float = Field(
        300.0, description="seconds for one file, and for each scanned page of it", gt=0
    )
    file_memory: int = Field(4096, description="MB of memory for a process that parses", ge=512)
    file_chunks: int = Field(
        5000, description="chunks of one document that are searched; what is beyond is told", gt=0
    )
    file_texts: int = Field(
        4096,
        description="texts of one document, three or four to a chunk, that are found by meaning; "
        "all are found by words",
        ge=0,
    )


class ElasticsearchSettings(Section):
    """An Elasticsearch that keeps the archive's index. Without `url` the index is a file."""

    url: str = Field(
        "", description="such as https://search:9200; several nodes with commas; empty: an index file"
    )
    api_key: SecretStr = Field(SecretStr(""), description="API key as Elasticsearch encodes it")
    ca_certs: str = Field("", description="file with the authority of its certificate; empty: the system's")
    fingerprint: str = Field(
        "",
        description="SHA-256 fingerprint of its certificate",
        pattern=r"^(([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}|[0-9A-Fa-f]{64}|)$",
    )
    alias: str = Field(
        "pestle-archive",
        description="name of the archive there",
        pattern=r"^[a-z0-9][a-z0-9._-]{0,200}$",
    )
    shards: int = Field(1, description="pieces of a new index", ge=1)
    replicas: int = Field(1, description="copies of each piece on other nodes", ge=0)
    candidates: int = Field(
        200, description="windows a search by meaning looks at in each shard", ge=1, le=10_000
    )
    timeout: float = Field(30.0, description="seconds for one request", gt=0)
    patience: float = Field(5.0, description="seconds a search is tried again", ge=0)
    write_patience: float = Field(300.0, description="seconds a write is tried again", ge=0)

    @property
    def urls(self) -> tuple[str, ...]:
        """The nodes' addresses."""
        return tuple(url.strip() for url in self.url.split(",") if url.strip())


class SourcesSettings(Section):
    """Public databases (`pestle sources`)."""

    live: bool = Field(
        False,
        description="ask public databases over the network for what is not loaded; the names of targets "
        "then leave the house",
    )
    folder: str = Field("", description="where loaded files are kept; empty: databases in PESTLE_HOME")
    literature: str = Field(
        "",
        description="folder with articles (JATS and PubMed XML, PDF), GEO's SOFT files and tables of data, "
        "for protocols",
    )
    sample: bool = Field(
        True,
        description="answer from the sample that ships with Pestle as long as no file is loaded and the "
        "network is not asked",
    )
    mode: Literal["live", "record", "replay"] = Field(
        "live",
        description="record: ask, and write each reply into `snapshot`; replay: use what is there alone",
    )
    snapshot: str = Field("", description="folder of recorded replies")
    cache_days: float = Field(
        7.0, description="days for which a reply is not asked for again; 0: always ask", ge=0
    )
    timeout: float = Field(20.0, description="seconds for one reply of a database", gt=0)
    ncbi_key: SecretStr = Field(SecretStr(""), description="key of NCBI: 10 requests a second instead of 3")
    openfda_key: SecretStr = Field(SecretStr(""), description="key of openFDA: more requests a day")


class DesignSettings(Section):
    """Molecule design (`pestle design`)."""

    oracle: str = Field(
        "",
        description="scores molecules: model (.npz), measurements (.csv), likeness to known ones (.smi), "
        "docking (.json), Boltz-2 (.fasta)",
    )
    calls: int = Field(1000, description="molecules that one debate may have scored", ge=1)


class S3Settings(Section):
    """Buckets that documents are read from (`pestle ingest s3://bucket/folder`)."""

    endpoint: str = Field(
        "", description="address of a store that is not Amazon's, such as http://minio:9000"
    )
    region: str = Field("", description="region; empty: as the AWS configuration says")
    access_key: SecretStr = Field(
        SecretStr(""),
        description="key id; empty: as the AWS configuration or the machine's role says",
    )
    secret_key: SecretStr = Field(SecretStr(""), description="secret of the key")
