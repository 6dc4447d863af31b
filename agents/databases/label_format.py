"""Files of drug labels, read as labels: openFDA's bulk files, passages, annotated sections.

A file is JSON: `{"results": [label, …]}` as openFDA's bulk files and API have it, a list, or one object a
line. An object is a whole label (sections as lists of texts under openFDA's names, `set_id`,
`effective_time`, `openfda`), a passage (`drug`, `section`, `text`) or a section (`label_id`, `section_name`,
`section_text`). Passages and sections of one name make one label.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from agents.databases.fields import items, text, texts
from agents.databases.ingredients import in_order, ingredients_of
from agents.errors import WrongFile

SOURCE = "openfda-labels"
BLOCK = 1_000_000
"""Characters of a file that are read before objects are looked for in them."""
BEGIN = re.compile(r'"results"\s*:\s*\[')
LONGEST = 32 * BLOCK
"""Characters of one label, at most."""
_BETWEEN = re.compile(r"[ \t\r\n,]*")
MARKUP = re.compile(r"<[^<>]{0,400}>")
SECTION_NAMES = {
    "warnings_and_precautions": "warnings_and_cautions",
    "boxed_warnings": "boxed_warning",
    "warnings_precautions": "warnings_and_cautions",
}
"""Other names of sections, and openFDA's."""
NO_SECTIONS = frozenset(("id", "set_id", "version", "effective_time", "openfda", "package_label", "label_id"))
DATA = "spl_product_data_elements"


@dataclass(slots=True)
class ReadLabel:
    """One version of one label as its file has it."""

    title: str
    sections: dict[str, list[str]] = field(default_factory=dict)
    set_id: str = ""
    effective: str = ""
    ingredients: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def objects(pieces: Iterable[str]) -> Iterator[JsonValue]:
    """The objects of a file that comes in pieces, one after the other, without holding all of it.

    Raises `WrongFile`.
    """
    buffer, started = "", False
    decoder = json.JSONDecoder()
    for block, last in _blocks(pieces):
        buffer += block
        if not started:
            buffer, started = _beginning(buffer), True
        at = _past(buffer, 0)
        while at < len(buffer) and buffer[at] != "]":
            try:
                value, at = decoder.raw_decode(buffer, at)
            except (ValueError, RecursionError) as error:
                if last or len(buffer) - at > LONGEST:
                    raise WrongFile("It is cut short, or no JSON.") from error
                break
            yield value
            at = _past(buffer, at)
        if buffer.startswith("]", at):
            return
        buffer = buffer[at:]


def _past(text: str, at: int) -> int:
    """Where the next object begins: past blanks and commas."""
    found = _BETWEEN.match(text, at)
    return found.end() if found else at


def _blocks(pieces: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """The text in blocks of whole pieces, and whether a block is the last."""
    held: list[str] = []
    length = 0
    for piece in pieces:
        held.append(piece)
        length += len(piece)
        if length >= BLOCK:
            yield "".join(held), False
            held, length = [], 0
    yield "".join(held), True


def _beginning(text: str) -> str:
    """What follows the opening of the list of results, or of the list; lines of objects as they are."""
    bare = text.lstrip()
    if bare.startswith("["):
        return bare[1:]
    if found := BEGIN.search(bare):
        return bare[found.end() :]
    return bare


def read_labels(values: Iterable[JsonValue]) -> Iterator[ReadLabel]:
    """Whole labels as they come, then those that were put together of passages and sections."""
    joined: dict[str, ReadLabel] = {}
    for value in values:
        if not isinstance(value, dict):
            raise WrongFile("It holds something else than labels.")
        title = text(value, "label_id") or text(value, "drug")
        written = _verbatim(value.get("section_text") or value.get("text"))
        section = section_name(text(value, "section_name") or text(value, "section"))
        if title and section and written:
            label = joined.setdefault(title.casefold(), ReadLabel(title, ingredients=ingredients_of(title)))
            label.sections.setdefault(section, []).append(written)
        elif label_of := whole_label(value):
            yield label_of
    yield from joined.values()


def whole_label(value: dict[str, JsonValue]) -> ReadLabel | None:
    """A label as openFDA has it; None for an object without sections."""
    sections: dict[str, list[str]] = {}
    for name, given in value.items():
        if name not in NO_SECTIONS and not name.endswith("_component"):
            written = [_verbatim(one) for one in items(given)]
            if any(written):
                sections[section_name(name)] = [one for one in written if one]
    if not sections or not (text(value, "set_id") or text(value, "id")):
        return None
    generic, brands = texts(value, "openfda", "generic_name"), texts(value, "openfda", "brand_name")
    substances = texts(value, "openfda", "substance_name") or generic
    names = (*generic, *brands) or _unharmonised(sections)
    title = next(iter((*generic, *brands, *names)), "") or "unnamed label"
    day = text(value, "effective_time")
    return ReadLabel(
        title,
        sections,
        text(value, "set_id") or text(value, "id"),
        f"{day[:4]}-{day[4:6]}-{day[6:8]}" if re.fullmatch(r"\d{8}", day) else day,
        tuple(sorted({part for one in substances for part in ingredients_of(in_order(one))})),
        names,
    )


def _unharmonised(sections: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Names of a label that openFDA did not harmonise: the first words of its product data."""
    words = " ".join(sections.get(DATA, ())).split()[:3]
    return tuple(" ".join(words[:count]) for count in range(1, len(words) + 1))


def section_name(written: str) -> str:
    """A section's name as openFDA has it ("Warnings and Precautions", "warnings_and_cautions")."""
    name = "_".join(re.findall(r"[a-z0-9]+", written.casefold()))
    return SECTION_NAMES.get(name, name)


def _verbatim(value: JsonValue) -> str:
    """A text without markup, on one line as labels are quoted; "" for anything else."""
    return " ".join(MARKUP.sub(" ", value).split()) if isinstance(value, str) else ""


def fits(head: Sequence[str]) -> bool:
    """Whether the first lines are those of a file of labels, in any of its forms."""
    begin = "\n".join(head).lstrip()[:20_000]
    if not begin.startswith(("{", "[")):
        return False
    passages = all(f'"{name}"' in begin for name in ("drug", "section", "text"))
    sections = all(f'"{name}"' in begin for name in ("label_id", "section_name", "section_text"))
    return (
        passages
        or sections
        or '"set_id"' in begin
        or ('"meta"' in begin and "api.fda.gov" in begin)
        or ('"meta"' in begin and BEGIN.search(begin) is not None)
    )
