"""What an expert sets in a record stands, also when the file is read again, and can be taken back."""

from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.errors import ArchiveNotFound, EditRefused
from retrieval.index.rows import record_from_json, record_to_json
from retrieval.ingest.edit import edit_document, edited, reset, undone
from retrieval.ingest.folder import Folder
from retrieval.ingest.update import ingest
from retrieval.values import DocumentRecord
from tests.support.hashing import HashingEncoder
from tests.support.memory_index import MemoryIndex
from tests.support.parsing import InThread

ENCODER = HashingEncoder(16)


async def archive(folder: Path) -> MemoryIndex:
    (folder / "a.md").write_text("# A study of QX-1001 in rats\n\nRats received QX-1001 10 mg/kg.")
    index = MemoryIndex(ENCODER)
    await ingest(Folder(folder), index, ENCODER, InThread())
    return index


async def test_an_edit_survives_that_the_file_is_read_again(tmp_path: Path) -> None:
    index = await archive(tmp_path)
    changes = {"title": "Bioassay", "date": "1998-03", "molecules": "ZB-2107", "status": "completed"}
    await edit_document(index, "a", lambda record: edited(record, changes))
    (tmp_path / "a.md").write_text("# A study of QX-1001 in dogs\n\nDogs received QX-1001 10 mg/kg.")
    await ingest(Folder(tmp_path), index, ENCODER, InThread())

    [record] = await index.records()
    assert (record.title, record.date, record.main_molecules) == ("Bioassay", "1998-03", ("ZB-2107",))
    assert record_from_json(record_to_json(record)) == record

    again = await edit_document(index, "a", reset)
    assert (again.title, again.date, again.main_molecules) == ("A study of QX-1001 in dogs", "", ("QX-1001",))
    assert again.edits == ()


async def test_the_last_edit_is_taken_back_alone(tmp_path: Path) -> None:
    index = await archive(tmp_path)
    await edit_document(index, "a", lambda record: edited(record, {"title": "One"}))
    await edit_document(index, "a", lambda record: edited(record, {"title": "Two"}))

    assert (await edit_document(index, "a", undone)).title == "One"
    assert (await edit_document(index, "a", undone)).title == "A study of QX-1001 in rats"
    with pytest.raises(EditRefused):
        await edit_document(index, "a", undone)


async def test_a_false_molecule_leaves_the_registry(tmp_path: Path) -> None:
    index = await archive(tmp_path)
    await edit_document(index, "a", lambda record: edited(record, {"molecules": "ZB-2107"}))

    assert [molecule.name for molecule in await index.molecules()] == ["ZB-2107"]


@pytest.mark.parametrize(
    "changes", [{"date": "last May"}, {"status": "fine"}, {"title": " "}, {"signature": "x"}]
)
def test_what_a_record_cannot_take_is_refused(changes: dict[str, str]) -> None:
    with pytest.raises(EditRefused):
        edited(DocumentRecord("a", "a.md", "", "md", "A"), changes)


async def test_a_type_that_no_document_has_is_refused_with_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("---\ntype: Pump log\n---\n# Pumps\n\nThe seals hold.")
    index = await archive(tmp_path)

    def to(kind: str) -> Callable[[DocumentRecord], DocumentRecord]:
        return lambda record: edited(record, {"document_type": kind})

    with pytest.raises(EditRefused, match=r"'Banana' is no type of document\. Known are .*Minutes.*Pump log"):
        await edit_document(index, "a", to("Banana"))
    with pytest.raises(EditRefused, match="did you mean 'Toxicology report'"):
        await edit_document(index, "a", to("toxicology raport"))

    assert (await edit_document(index, "a", to("Pump log"))).document_type == "Pump log"
    assert (await edit_document(index, "b", to(""))).document_type == ""
    assert (await edit_document(index, "b", undone)).document_type == "Pump log"


async def test_a_document_that_is_not_there_cannot_be_edited(tmp_path: Path) -> None:
    with pytest.raises(ArchiveNotFound):
        await edit_document(await archive(tmp_path), "b", reset)
