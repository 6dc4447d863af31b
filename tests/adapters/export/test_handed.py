"""Files that cards hand out, made from what a run left behind."""

from adapters.export.handed import HandedFiles, stem, table_file
from agents.reports.values import Figure
from agents.runs.artefacts import MemoryArtefacts
from bot.values import Export, Table
from tests.bot.test_intake import ANSWER
from tests.bot.world import World


async def test_a_picture_of_a_run_is_handed_out_with_what_it_shows() -> None:
    world, artefacts = World(), MemoryArtefacts()
    kept = await artefacts.put(b"\x89PNG", "image/png", "chart.png")
    figure = Figure("Risks by system", kept.sha256, "image/png", "Bars: liver 3.")
    file = await HandedFiles(world.views, world.ledger, artefacts).made(figure)
    assert file is not None
    assert (file.name, file.content, file.alt) == ("Risks-by-system.png", b"\x89PNG", "Bars: liver 3.")


async def test_a_picture_that_is_gone_or_of_another_type_is_none() -> None:
    world, artefacts = World(), MemoryArtefacts()
    files = HandedFiles(world.views, world.ledger, artefacts)
    kept = await artefacts.put(b"<svg/>", "image/svg+xml", "chart.svg")
    assert await files.made(Figure("a", "0" * 64, "image/png", "")) is None
    assert await files.made(Figure("a", kept.sha256, "image/svg+xml", "")) is None


async def test_a_report_is_handed_out_as_it_stands() -> None:
    world = World()
    run_id = (await world.say("What was the NOAEL?")).run_id
    files = HandedFiles(world.views, world.ledger, MemoryArtefacts())
    assert await files.made(Export(run_id, "md")) is None
    await world.finish(run_id, ANSWER)
    file = await files.made(Export(run_id, "md"))
    assert file is not None
    assert file.name.endswith(".md")
    assert ANSWER.short.encode() in file.content
    assert await files.made(Export("nobody", "md")) is None


def test_a_table_is_a_csv_in_which_no_cell_is_a_formula() -> None:
    file = table_file(Table("Doses, by study", ("study", "dose"), (("=cmd()", "-5.2"), ("@a", "1,5"))))
    assert file.name == "Doses-by-study.csv"
    assert file.content.decode("utf-8-sig").splitlines() == ["study,dose", "'=cmd(),-5.2", '\'@a,"1,5"']


def test_a_name_of_a_file_is_plain() -> None:
    assert stem("../../etc/passwd\n") == "etc-passwd"
    assert stem("…") == "pestle"
