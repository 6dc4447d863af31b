"""How a process reaches databases: by default not over the network, else as it is set."""

from pathlib import Path

import pytest

from adapters.errors import SettingsError
from adapters.sections import SourcesSettings
from adapters.settings import Settings
from adapters.sources.kept_web import CachedWeb, RecordingWeb, ReplayedWeb
from adapters.sources.reach import open_reach
from adapters.sources.web import HttpWeb
from adapters.wiring import runtime


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        (SourcesSettings(), type(None)),
        (SourcesSettings(live=True), CachedWeb),
        (SourcesSettings(live=True, cache_days=0), HttpWeb),
        (SourcesSettings(mode="record", snapshot="x"), RecordingWeb),
        (SourcesSettings(live=True, mode="replay", snapshot="x"), ReplayedWeb),
    ],
)
async def test_the_network_is_used_as_it_is_set(
    tmp_path: Path, settings: SourcesSettings, kind: type[object]
) -> None:
    opened = open_reach(Settings(home=tmp_path, sources=settings))
    assert type(opened.reach.web) is kind
    await opened.close()


def test_recording_and_replaying_need_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="PESTLE_SOURCES_SNAPSHOT names no folder"):
        open_reach(Settings(home=tmp_path, sources=SourcesSettings(mode="replay")))


async def test_a_house_lends_the_reach_and_the_tools_of_databases(tmp_path: Path) -> None:
    async with runtime(Settings(home=tmp_path)) as built:
        assert "reach" not in vars(built)
        assert built.house.reach is built.house.reach
        assert built.house.reach.bulk.release("hgnc") is None
