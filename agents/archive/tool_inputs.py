"""What the archive's tools take, and the data that some of them give to programs."""

from pydantic import BaseModel, Field

from agents.tools.brief import RARE
from agents.tools.tool import Arguments
from retrieval.records import Thing
from retrieval.values import Domain

LISTED_AT_ONCE = 25

MOLECULE = Field("", description="only documents about this molecule; empty: any", max_length=200)
STAGE = Field(None, description="part of drug development; null: any", json_schema_extra=RARE)
DOC_ID = Field(description="id of the document", min_length=1, max_length=500)


class Search(Arguments):
    """What to look for."""

    query: str = Field(description="question or key words", min_length=1, max_length=2000)
    molecule: str = MOLECULE
    stage: Domain | None = STAGE
    doc_id: str = Field("", description="only this document; empty: all", max_length=500)
    date_from: str = Field(
        "", description="earliest date of documents, ISO 8601", max_length=10, json_schema_extra=RARE
    )
    date_to: str = Field("", description="latest date, ISO 8601", max_length=10, json_schema_extra=RARE)
    limit: int = Field(6, description="most passages", ge=1, le=20, json_schema_extra=RARE)


class ReadPart(Arguments):
    """Which part of which document. Of page, section and start at most one is given."""

    doc_id: str = DOC_ID
    page: int | None = Field(None, description="number of a page", ge=1)
    section: str = Field("", description="heading or a part of it", max_length=300)
    start: int = Field(0, description="offset of the first character", ge=0)
    end: int | None = Field(
        None, description="offset of the end; null: as far as fits", ge=1, json_schema_extra=RARE
    )


class Tables(Arguments):
    """Which tables of which document."""

    doc_id: str = DOC_ID
    words: str = Field("", description="words of caption, heads or rows", max_length=300)


class RecordsAsked(Arguments):
    """Which records to list; all conditions must hold."""

    thing: Thing = Field(Thing.DOCUMENTS, description="what to list")
    molecule: str = MOLECULE
    type: str = Field("", description="words of the type of document or study", max_length=200)
    year: str = Field("", description="2019 or 2017-2019", max_length=9)
    phase: str = Field("", description="such as Phase 2", max_length=20, json_schema_extra=RARE)
    species: str = Field("", description="in which it was done", max_length=100, json_schema_extra=RARE)
    status: str = Field("", description="such as completed", max_length=50, json_schema_extra=RARE)
    words: str = Field("", description="words of the record", max_length=200)
    offset: int = Field(0, description="rows to skip", ge=0)
    limit: int = Field(LISTED_AT_ONCE, description="most rows", ge=1, le=200, json_schema_extra=RARE)


class RecordList(BaseModel):
    """Rows in order of their names, and how many there are in all."""

    rows: tuple[dict[str, str | tuple[str, ...]], ...]
    total: int
