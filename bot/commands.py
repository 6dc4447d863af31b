"""From what somebody wrote, or pressed, to a command. Anything that is no command is a question.

How people write each command stands in `commands.toml`.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from rapidfuzz import process
from rapidfuzz.distance import OSA

from agents.text.english import is_english
from bot.errors import BadRequest
from bot.values import Command, CommandName, Incoming

MAX_CHARACTERS = 4_000
LONG_WORD = 8
"""Letters of a word in which two slips are forgiven."""
PRESSED = 2_000
"""Characters that a button of Slack or Teams carries."""
NOT_KNOWN = "This button is not known here any more. Write `help` to see what can be done."
EXPORT_FORMATS = ("md", "html", "docx", "pdf", "json")

_TOLD = re.compile(r"(?P<section>[^:\n]{0,80}?)\s*:\s*(?P<text>.*)", re.DOTALL)
_OF_FILE = re.compile(
    r"(?:(?:add|give|use) )?(?:this )?(?:as )?(?:a )?source\b(?: (?:to|for|of))?(?P<argument>[^:\n]{0,80})",
    re.IGNORECASE,
)
"""What makes the files of a message sources of a section: there no text is needed."""
_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_COMMANDS = tuple(
    (CommandName(name), re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for name, patterns in _FILE.items()
    for pattern in patterns
)

_VERDICT = re.compile(
    r"(?:thumbs )?(up|down|good|bad|\+1|-1|👍|👎)[🏻-🏿]?[:,]?\s*(.*)", re.IGNORECASE | re.DOTALL
)
_UP = {"up", "good", "+1", "👍"}
DOCUMENT = "canvas"
"""What a report is exported as where a platform has documents of its own; elsewhere as Markdown."""
_FORMAT_NAMES = {"": "md", DOCUMENT: "md", "markdown": "md", "word": "docx", "bundle": "json"}


def understand(incoming: Incoming) -> tuple[Command, str]:
    """The command, and the id of the run it is about ("" when it names none: the thread's last one).

    Raises `BadRequest` for what cannot be acted on, with what to write instead.
    """
    if incoming.action:
        return _pressed(incoming.action, incoming.value)
    text = checked(incoming.text)
    if incoming.files and (found := _OF_FILE.fullmatch(text.lstrip("/").rstrip(".!? "))):
        return Command(CommandName.GIVE, found["argument"].strip()), ""
    return written(text), ""


def misspelt(text: str, commands: Iterable[str]) -> tuple[str, str]:
    """The first word of a text that seems to be a slip, and the text with the command in its place that is
    nearest, of these or ours; twice "" where the word is one of English or an abbreviation, none is near,
    or no button carries the text.
    """
    found = re.match(r"/?([^\W\d_][^\WA-Z\d_]{3,})\b", text) if len(text) < PRESSED else None
    if not found or is_english(word := found[1]):
        return "", ""
    slips, known = 2 if len(word) >= LONG_WORD else 1, {*CommandName, *commands}
    near = process.extractOne(word.casefold(), known, scorer=OSA.distance, score_cutoff=slips)
    return (word, text.replace(word, near[0], 1)) if near else ("", "")


def checked(text: str) -> str:
    """The text without invisible characters and outer space, if it is text of a size to be answered."""
    if len(text) > MAX_CHARACTERS:
        raise BadRequest(
            f"This message has {len(text):,} characters and I read up to {MAX_CHARACTERS:,}. "
            "Ask the question in a few sentences, and add long material to the archive as a document."
        )
    if any(_no_text(character) for character in text):
        raise BadRequest(
            "This message holds binary or control characters. "
            "Write the question as plain text, and add files to the archive instead of pasting them."
        )
    visible = "".join(character for character in text if unicodedata.category(character) != "Cf").strip()
    if not visible:
        raise BadRequest(
            'This message is empty. Ask a question, such as "What was the highest dose given in Phase I?", '
            "or write `help`."
        )
    return visible


def verdict_and_comment(argument: str) -> tuple[str, str]:
    """ "up" or "down", and what else was said. Raises `BadRequest` without a verdict."""
    if not (found := _VERDICT.fullmatch(argument.strip())):
        raise BadRequest(
            "Say whether the answer helped: `feedback up` or `feedback down`, with a comment if you like."
        )
    return ("up" if found[1].lower() in _UP else "down"), found[2].strip()


def export_format(argument: str) -> str:
    """One of `EXPORT_FORMATS`; Markdown when none is named. Raises `BadRequest` for any other."""
    wanted = argument.strip().lower().removeprefix(".")
    wanted = _FORMAT_NAMES.get(wanted, wanted)
    if wanted not in EXPORT_FORMATS:
        raise BadRequest(f"An answer can be exported as {', '.join(EXPORT_FORMATS)}: write `export pdf`.")
    return wanted


def _pressed(action: str, value: str) -> tuple[Command, str]:
    run_id, _, argument = value.partition(" ")
    argument = checked(argument) if action == CommandName.ASK else argument.strip()
    if action not in set(CommandName) or not re.match(_NUMBERED.get(action, ""), argument):
        raise BadRequest(NOT_KNOWN)
    return Command(CommandName(action), argument), run_id


_NUMBERED = {"sources": r"\d{0,3}$", "pin": r"\d{0,3}$", "forget": r"\d{1,3}$", "dispute": r"\d{1,3}\b|$"}
"""How the argument of a press begins where it has a number: a press may come from anywhere."""
_LISTS = {"pins": CommandName.PIN, "watches": CommandName.WATCH}


def written(text: str) -> Command:
    """What a text says, as a command; a question where it is no other."""
    whole = text.lstrip("/")
    if name := _LISTS.get(whole.casefold()):
        return Command(name, "list")
    plain = whole.rstrip(".!? ") or text
    for name, pattern in _COMMANDS:
        if found := pattern.fullmatch(whole) or pattern.fullmatch(plain):
            return Command(name, (found.groupdict().get("argument") or "").strip())
    if not any(character.isalnum() for character in text):
        raise BadRequest("There are no words in this message. Ask a question in words, or write `help`.")
    return Command(CommandName.ASK, text)


def _no_text(character: str) -> bool:
    return character == "\ufffd" or (
        unicodedata.category(character) in ("Cc", "Cs", "Cn") and character not in "\t\n\r"
    )


def section_and_text(command: Command, needed: str = "") -> tuple[str, str]:
    """The section that a command names, and what follows the colon.

    Raises `BadRequest` where a text is needed and missing.
    """
    if ":" not in command.argument:
        named, text = command.argument, ""
    else:
        told = _TOLD.fullmatch(command.argument)
        named, text = (told["section"].strip(), told["text"].strip()) if told else ("", command.argument)
    if needed and not text:
        raise BadRequest(f"Write the text after a colon: `{needed} SECTION: …`.")
    return named, text
