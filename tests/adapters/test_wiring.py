"""The runtime: what is opened when, and that a process that ends leaves nothing behind."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from adapters.data_sections import ElasticsearchSettings
from adapters.errors import SettingsError
from adapters.model_sections import JudgeSettings, ModelSettings
from adapters.sections import RunSettings
from adapters.settings import Settings
from adapters.wiring import budget, runtime
from agents.archive.kind import KIND
from agents.kinds import KindLimits
from agents.runs.records import Budget, RunState
from agents.trust.entail import ModelEntailment
from agents.trust.lexical import LexicalEntailment
from bot.values import Incoming, ThreadRef
from retrieval.ingest.folder import Folder
from workers.inprocess import InProcessQueue

REPORT = """\
# KP-200: first-in-human study

The first dose of KP-200 given to healthy volunteers was 2 mg as a single oral dose.
"""

SMALL = KindLimits(Budget(60.0, 7))


async def test_listing_runs_opens_no_index_and_no_weights(tmp_path: Path) -> None:
    async with runtime(Settings(home=tmp_path)) as built:
        assert await built.ledger.runs(limit=5) == []
    assert not (tmp_path / "archive.db").exists()


async def test_without_a_model_rules_do_the_work_in_this_process(tmp_path: Path) -> None:
    async with runtime(Settings(home=tmp_path)) as built:
        assert built.model is None
        assert isinstance(built.house.entailment, LexicalEntailment)
        assert isinstance(built.queue, InProcessQueue)


async def test_a_model_also_judges_what_follows_from_the_evidence(tmp_path: Path) -> None:
    model = ModelSettings(base_url="http://127.0.0.1:9/v1", name="small", api_key=SecretStr("key"))
    async with runtime(Settings(home=tmp_path, model=model)) as built:
        assert isinstance(built.house.entailment, ModelEntailment)
        assert built.house.model is built.model
        assert built.house.entailment.name == "entailment by small, the model that also wrote"


async def test_another_model_judges_where_one_is_named(tmp_path: Path) -> None:
    model = ModelSettings(base_url="http://127.0.0.1:9/v1", name="small", roles={"research": "large"})
    settings = Settings(home=tmp_path, model=model, judge=JudgeSettings(model="strict"))
    async with runtime(settings) as built:
        assert built.house.entailment.name == "entailment by strict, not the writer"
        assert built.model is not None
        asked = [built.model.of_role(one) for one in ("entail", "research", "classify")]
        assert asked == ["strict", "large", "small"]


async def test_a_home_that_cannot_be_made_is_a_setting_to_change(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="PESTLE_HOME"):
        async with runtime(Settings(home=tmp_path / "file" / "home")):
            pass


@pytest.mark.parametrize("wrong", [{"url": "search:9200"}, {"url": "http://es:9200", "ca_certs": "a.pem"}])
async def test_an_elasticsearch_that_cannot_be_meant_is_a_setting_to_change(
    tmp_path: Path, wrong: dict[str, str]
) -> None:
    settings = Settings(home=tmp_path, elasticsearch=ElasticsearchSettings(**wrong))  # type: ignore[arg-type]
    async with runtime(settings) as built:
        with pytest.raises(SettingsError, match="PESTLE_ELASTICSEARCH_URL is such as"):
            assert built.index


async def test_a_trial_on_a_server_that_is_away_ends_soon(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    away = ElasticsearchSettings(url="http://127.0.0.1:9", alias="trial", patience=0.5)
    async with asyncio.timeout(20), runtime(Settings(home=tmp_path, elasticsearch=away)) as built:
        await built.drop_index()
    assert "The index trial stays on the server" in caplog.text


def test_no_limit_is_written_as_zero() -> None:
    assert budget(Settings(), KIND).tokens is None
    assert budget(Settings(run=RunSettings(tokens=9, cost_usd=0.5)), KIND).tokens == 9
    assert budget(Settings(run=RunSettings(tokens=0)), replace(KIND, limits=SMALL)).tokens is None


def test_a_kind_has_limits_of_its_own_where_the_settings_name_none() -> None:
    small = replace(KIND, limits=SMALL)
    assert budget(Settings(), small) == SMALL.budget
    assert budget(Settings(run=RunSettings(seconds=5)), small) == Budget(5.0, 7)


async def test_a_message_becomes_a_run_that_is_carried_to_its_end(tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "KP-CL-03.md").write_text(REPORT, encoding="utf-8")
    async with runtime(Settings(home=tmp_path / "home")) as built:
        await built.files.ingest(Folder(documents))
        incoming = Incoming("e1", ThreadRef("test", "here", "1"), "someone", "First-in-human dose of KP-200?")
        receipt = await built.intake.receive(incoming)
        record = await built.finished(receipt.run_id)
    assert record.state is RunState.DONE
    assert "2 mg" in (record.result or "")


async def test_a_kind_of_run_gets_the_tools_of_all_kinds_from_the_house(tmp_path: Path) -> None:
    async with runtime(Settings(home=tmp_path / "home")) as built:
        tools = await built.house.toolset()
        reply = await tools.call("records", "{}")
    assert {"search_archive", "read_document", "records"} <= set(tools)
    assert (reply.records, reply.data) == ((), {"rows": [], "total": 0})
