"""Files and words that come to the sources of a section."""

from dataclasses import replace

import pytest

from agents.design.kind import KIND as DESIGN
from agents.errors import WrongOrder
from agents.kinds import AnyKind, Kinds
from bot.commands import understand
from bot.errors import BadRequest
from bot.given import LONGEST, MOST, given_with, with_words
from bot.ports import NoFiles
from bot.values import Attached, Command, CommandName, Incoming, ThreadRef
from tests.agents.safety.kit import kind
from tests.support.archive import KINDS

FILE = Attached("study.pdf", "F1")
SENT = Incoming("e1", ThreadRef("slack", "C1", "1"), "ada", "source clinical", files=(FILE,))


class Texts:
    """A `FileReader` of texts by place."""

    def __init__(self, **texts: str) -> None:
        self._texts = texts

    async def read(self, file: Attached) -> str:
        return self._texts[file.place]


@pytest.mark.parametrize(
    "text",
    ["source clinical", "Source clinical.", "add this as a source for clinical", "give source to clinical"],
)
def test_a_file_needs_no_more_than_the_section(text: str) -> None:
    assert understand(replace(SENT, text=text)) == (Command(CommandName.GIVE, "clinical"), "")


def test_other_words_with_a_file_are_read_as_ever() -> None:
    command, _ = understand(replace(SENT, text="What of the liver?"))
    assert command == Command(CommandName.ASK, "What of the liver?")
    assert understand(replace(SENT, text="source clinical", files=()))[0].name is CommandName.ASK


async def test_words_and_files_are_sources_of_their_own() -> None:
    given = await given_with(SENT, "As they told us.\nIt was safe.", kind(), Texts(F1="Study 9 was stopped."))
    assert [(one.title, one.text, one.by) for one in given] == [
        ("As they told us.", "As they told us.\nIt was safe.", "ada"),
        ("study.pdf", "Study 9 was stopped.", "ada"),
    ]


@pytest.mark.parametrize(
    ("sent", "over", "text", "said"),
    [
        (replace(SENT, files=()), kind(), "", "Write the text after a colon"),
        (SENT, kind(), "x" * (LONGEST + 1), "takes files of up to 400,000"),
        (SENT, kind(), " \n", "holds no text that can be cited"),
        (replace(SENT, files=(FILE,) * (MOST + 1)), kind(), "x", "up to 5 files"),
        (SENT, next(iter(KINDS)), "x", "takes no sources"),
    ],
)
async def test_what_is_no_source_is_refused_with_the_reason(
    sent: Incoming, over: AnyKind, text: str, said: str
) -> None:
    with pytest.raises(BadRequest, match=said):
        await given_with(sent, "", over, Texts(F1=text))


async def test_where_no_files_come_none_is_read() -> None:
    with pytest.raises(BadRequest, match="Put its text into the message"):
        await NoFiles().read(FILE)


METHANOL = "methanol\n\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n" + "".join(
    f"    0.0000    0.0000    0.0000 {atom}   0  0\n" for atom in "CO"
)
METHANOL += "  1  2  1  0\nM  END\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("make this more soluble", "make this more soluble; from CO"),
        ("design inhibitors, not like these", "design inhibitors, not like these CO"),
        ("", "try CO"),
    ],
)
async def test_molecules_of_a_file_stand_among_the_words_of_its_message(text: str, words: str) -> None:
    drawn, files = Attached("one.MOL", "F2"), Texts(F2=METHANOL)
    told = await with_words(replace(SENT, text=text, files=(FILE, drawn)), Kinds([DESIGN]), files)
    assert (told.text, told.files) == (words, (FILE,))
    assert await with_words(replace(SENT, files=(drawn,)), Kinds([DESIGN]), files) == replace(
        SENT, files=(drawn,)
    )
    with pytest.raises(WrongOrder, match="no molecule"):
        await with_words(replace(SENT, text=text, files=(drawn,)), Kinds([DESIGN]), Texts(F2=""))
