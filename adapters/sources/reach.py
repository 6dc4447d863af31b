"""How this process reaches the databases, as the settings say."""

from pathlib import Path
from typing import TYPE_CHECKING

from adapters.data_sections import SourcesSettings
from adapters.errors import SettingsError
from adapters.settings import Settings
from adapters.sources.bulk import BulkFolder
from adapters.sources.kept_web import CachedWeb, RecordingWeb, ReplayedWeb
from adapters.sources.keys import Keys
from adapters.sources.sample import SampledBulk
from agents.databases.ports import Bulk, Reach, Web
from agents.databases.registry import DATABASES

if TYPE_CHECKING:
    from adapters.sources.web import HttpWeb

DAY_S = 86_400.0
TITLES = {one.name: one.title for one in DATABASES}


class OpenReach:
    """A `Reach` and what is to be closed after it. Nothing is opened before the first request."""

    def __init__(self, bulk: Bulk, web: Web | None = None, http: "HttpWeb | None" = None) -> None:
        self.reach = Reach(bulk, web)
        self._http = http

    async def close(self) -> None:
        """Close all connections."""
        if self._http is not None:
            await self._http.close()


def bulk_folder(settings: Settings) -> BulkFolder:
    """The loaded files."""
    return BulkFolder(settings.databases)


def read_bulk(settings: Settings) -> Bulk:
    """The loaded files; while there are none, the sample, unless it is off or other sources are asked."""
    chosen, bulk = settings.sources, bulk_folder(settings)
    return SampledBulk(bulk) if chosen.sample and chosen.mode == "live" and not chosen.live else bulk


def open_reach(settings: Settings) -> OpenReach:
    """Loaded files, and the network or recorded replies as it is set.

    Raises `SettingsError` for recording or replaying without a folder.
    """
    sources, bulk = settings.sources, bulk_folder(settings)
    if sources.mode == "live" and not sources.live:
        return OpenReach(read_bulk(settings))
    if sources.mode != "live" and not sources.snapshot:
        raise SettingsError(
            f"PESTLE_SOURCES_MODE is {sources.mode}, and PESTLE_SOURCES_SNAPSHOT names no folder."
        )
    if sources.mode == "replay":
        return OpenReach(bulk, ReplayedWeb(Path(sources.snapshot), TITLES))
    http = _http(sources)
    web: Web = http
    if sources.cache_days > 0:
        web = CachedWeb(http, settings.home / "database-replies.db", sources.cache_days * DAY_S)
    if sources.mode == "record":
        web = RecordingWeb(web, Path(sources.snapshot))
    return OpenReach(bulk, web, http)


def _http(sources: SourcesSettings) -> "HttpWeb":
    from adapters.sources.web import HttpWeb, WebLimits  # its client is large, and files need none

    paces = {one.name: (one.calls, one.seconds) for one in DATABASES}
    limits = WebLimits(seconds=sources.timeout)
    return HttpWeb(paces, Keys(sources.ncbi_key, sources.openfda_key), limits, titles=TITLES)
