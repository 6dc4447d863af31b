"""How a database is reached: over the network, or in a file of it that was loaded.

    reach = Reach(web, bulk)
    rows = await reach.bulk.rows("mgi", "ADRB2")
    reply = await reach.web.fetch(WebRequest("uniprot", "https://rest.uniprot.org/uniprotkb/P07550.json"))

Implementations: `adapters/sources`. A tool asks what is loaded first and the network only for what is not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from agents.databases.labels import Labels

SAMPLE = "shipped sample"
"""What the release of a record says that comes from the sample that ships with Pestle."""
ON_SAMPLE = (
    "This rests on the small sample that ships with Pestle; what is missing here may stand in the databases. "
    "`pestle sources` says where to get them."
)


def notes_on(releases: Iterable[str]) -> tuple[str, ...]:
    """What a reader is told of an answer whose records are of these releases."""
    return (ON_SAMPLE,) if any(SAMPLE in one for one in releases) else ()


@dataclass(frozen=True, slots=True)
class WebRequest:
    """One request. `source` names the database, whose limits it keeps; `body` is JSON and makes it a POST."""

    source: str
    url: str
    params: tuple[tuple[str, str], ...] = ()
    body: str = ""


@dataclass(frozen=True, slots=True)
class WebReply:
    """What came back: text, whole address, day of the fetch (ISO 8601), and the release if it says so."""

    text: str
    url: str
    date: str
    release: str = ""


class Web(Protocol):
    """The network, within the limits of each database.

    Contract: `tests/adapters/sources/test_web_contract.py`.
    """

    async def fetch(self, request: WebRequest) -> WebReply | None:
        """The reply; None where the database says that it has nothing of this name (404).

        Raises `ToolFailed`, in a sentence for a reader, where the database cannot be reached, refuses, or
        replies with more than is taken.
        """


@dataclass(frozen=True, slots=True)
class BulkRelease:
    """A file that was loaded: whose, which, in which state, and how much of it there is."""

    source: str
    file: str
    release: str
    loaded: str
    rows: int


class Bulk(Protocol):
    """Files of databases, loaded once (`pestle sources load`).

    Contract: `tests/adapters/sources/test_bulk_contract.py`.
    """

    def release(self, source: str) -> BulkRelease | None:
        """What is loaded of a source; None where nothing is."""

    async def rows(self, source: str, key: str) -> Sequence[Mapping[str, str]]:
        """The rows of a key (a gene symbol in most sources), as in the file; none for an unknown key.

        The case of a key does not count. Raises `ToolFailed` if what was loaded is damaged.
        """

    async def keys(self, source: str) -> Sequence[str]:
        """All keys of a source as they are written there, each once. Raises `ToolFailed` as `rows`."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Both ways. `web` is None where the network is not to be used, `labels` where none are loaded."""

    bulk: Bulk
    web: Web | None = None
    labels: "Labels | None" = None
