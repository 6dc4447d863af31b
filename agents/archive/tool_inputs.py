"""What the archive's tools take, and the data that some of them give to programs."""

from pydantic import BaseModel, Field

from agents.tools.brief import RARE
from agents.tools.tool import Arguments
from retrieval.values import Stage

LISTED_AT_ONCE = 25

MOLECULE = Field("", description="only documents about this molecule; empty: any", max_length=200)
STAGE = Field(None, description="part of drug development; null: any", json_schema_extra=RARE)
DOC_ID = Field(description="id of the document", min_length=1, max_length=500)


class Search(Arguments):
    """What to look for."""

    query: str = Field(description="question or key words", min_length=1, max_length=2000)
    molecule: str = MOLECULE
    stage: Stage | None = STAGE
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


class Listing(Arguments):
    """Which documents to list."""

    molecule: str = MOLECULE
    stage: Stage | None = STAGE
    words: str = Field("", description="words of id, title or type", max_length=200)
    offset: int = Field(0, description="documents to skip", ge=0)
    limit: int = Field(LISTED_AT_ONCE, description="most documents", ge=1, le=200, json_schema_extra=RARE)


class Named(Arguments):
    """A molecule."""

    molecule: str = Field(description="name or code, in any spelling", min_length=1, max_length=200)


class ListedDocument(BaseModel):
    """What is known about a document as a whole."""

    doc_id: str
    title: str
    type: str
    date: str
    molecules: tuple[str, ...]
    pages: int
    newest_version: str


class DocumentList(BaseModel):
    """Documents in order of their ids, and how many there are in all."""

    documents: tuple[ListedDocument, ...]
    total: int


class MoleculeRecord(BaseModel):
    """A molecule of the archive, all its names there, and its documents."""

    name: str
    aliases: tuple[str, ...]
    documents: tuple[ListedDocument, ...]
