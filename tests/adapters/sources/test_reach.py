"""How a process reaches databases: by default not over the network, else as it is set."""

import json
from pathlib import Path

import pytest

from adapters.data_sections import SourcesSettings
from adapters.errors import SettingsError
from adapters.settings import Settings
from adapters.sources.kept_web import CachedWeb, RecordingWeb, ReplayedWeb
from adapters.sources.reach import TITLES, open_reach
from adapters.sources.web import HttpWeb
from adapters.wiring import runtime
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.databases.toolset import database_tools
from tests.support.recorded_web import RecordedWeb


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
    settings = Settings(home=tmp_path, sources=SourcesSettings(sample=False))
    async with runtime(settings) as built:
        assert "reach" not in vars(built)
        assert built.house.reach is built.house.reach
        assert built.house.reach.bulk.release("hgnc") is None


async def test_what_a_snapshot_recorded_is_told_again_without_a_network(tmp_path: Path) -> None:
    gene = {
        "symbol": "ABC1",
        "entrezgene": "11",
        "uniprot": {"Swiss-Prot": "P00001"},
        "summary": "It carries.",
    }
    entry = (
        "ID   ABC1_HUMAN  Reviewed;\nAC   P00001;\nGN   Name=ABC1;\nOX   NCBI_TaxID=9606;\n"
        "CC   -!- FUNCTION: Carries sodium.\n//\n"
    )
    world = RecordedWeb(
        {
            "https://mygene.info/v3/query": json.dumps({"hits": [gene]}),
            "https://rest.uniprot.org/uniprotkb/P00001.txt": entry,
        },
        release="2026_01",
    )
    recording = database_tools(Reach(MemoryBulk(), RecordingWeb(world, tmp_path)))
    replaying = database_tools(Reach(MemoryBulk(), ReplayedWeb(tmp_path, TITLES)))
    replies = [await tools.call("protein", '{"target": "ABC1"}') for tools in (recording, replaying)]
    assert replies[0] == replies[1]
    assert replies[0].summary == "1 fact in 1 record."
