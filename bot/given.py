"""What a person gives to a section as sources: the words of a message, and the files that came with it; and
files that are words of a message themselves.
"""

import asyncio
from dataclasses import replace
from pathlib import PurePath

from agents.kinds import AnyKind, Given, Kinds
from agents.runs.clock import stamp, utc_now
from bot import offers
from bot.errors import BadRequest
from bot.ports import FileReader
from bot.values import Incoming

LONGEST_TITLE = 80
LONGEST, MOST = 400_000, 5
"""Characters of a file that is a section's source, and files of one message. What is longer is a document for
the archive: there it is searched, here it is read from its beginning to its end.
"""
HOW = (
    "Write the text after a colon, `source clinical: In study 3, …`, or send a file with the words "
    "`source clinical`."
)


async def given_with(incoming: Incoming, text: str, kind: AnyKind, files: FileReader) -> tuple[Given, ...]:
    """The sources that a message gives: its `text`, called by how it begins, and each file under its name.

    Raises `BadRequest` where there is none, where the kind takes none, and for a file that cannot be read.
    """
    if not kind.takes_sources:
        raise BadRequest(f"A {kind.result} of this kind takes no sources: put the text in with `append`.")
    if not text and not incoming.files:
        raise BadRequest(HOW)
    if len(incoming.files) > MOST:
        raise BadRequest(f"Send up to {MOST} files in one message.")
    day = stamp(utc_now())[:10]
    said = (Given(_titled(text.splitlines()[0]), text, incoming.user, day),) if text else ()
    read = [(file.name, await files.read(file)) for file in incoming.files]
    for name, content in read:
        if not content.strip():
            raise BadRequest(f"{name} holds no text that can be cited.")
        if len(content) > LONGEST:
            raise BadRequest(
                f"{name} has {len(content):,} characters, and a section takes files of up to {LONGEST:,}. "
                "Add it to the archive as a document, or send the pages that matter."
            )
    return (*said, *(Given(_titled(name), content, incoming.user, day) for name, content in read))


async def with_words(incoming: Incoming, kinds: Kinds, files: FileReader) -> Incoming:
    """A message in which files that a kind reads as words stand in words; other files stay with it.

    Raises `BadRequest`, `WrongOrder` for a file that cannot be read.
    """
    if incoming.action or not offers.is_open(incoming):
        return incoming
    for kind in kinds:
        taken = [one for one in incoming.files if PurePath(one.name).suffix.lower() in kind.files]
        if taken:
            contents = [await files.read(one) for one in taken[:MOST]]
            text = await asyncio.to_thread(kind.with_files, incoming.text.strip(), contents)
            rest = tuple(one for one in incoming.files if one not in taken)
            incoming = replace(incoming, text=text, files=rest)
    return incoming


def _titled(text: str) -> str:
    return text if len(text) <= LONGEST_TITLE else f"{text[:LONGEST_TITLE]}…"
