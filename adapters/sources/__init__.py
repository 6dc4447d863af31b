"""Where things come from: documents of a bucket or a watched folder, and public databases (`reach`)."""

from pathlib import Path

from adapters.data_sections import S3Settings
from retrieval.ingest.folder import Folder
from retrieval.ports import DocumentSource

S3 = "s3://"


def source(place: str, s3: S3Settings, *, by_stat: bool = False) -> DocumentSource:
    """The source at a path, or at a URL such as s3://bucket/reports.

    `by_stat`: see `Folder`. Raises `SettingsError` if the library for buckets is not installed,
    `ArchiveNotFound` for a URL that names no bucket.
    """
    if not place.startswith(S3):
        return Folder(Path(place), by_stat=by_stat)
    from adapters.sources.s3 import Bucket  # boto3 takes a while to load, and is an extra

    return Bucket(place.removeprefix(S3), s3)
