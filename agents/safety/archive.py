"""What the house's own archive says of a target: passages that name it, found by its search tool."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from agents.databases.facts import Fact, Facts, Response, Topic
from agents.databases.target import Target
from agents.errors import AgentError, ToolFailed, ToolRetry
from agents.evidence.sources import Origin
from agents.safety.collect import collected_of
from agents.safety.values import Collected
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset
from retrieval.text.sentences import split_sentences

SEARCH = "search_archive"
NAME = "our own archive"
FIRST_KEY = 90_001
PASSAGES, SENTENCES = 12, 8
LONGEST = 400
NO_ARCHIVE = "The archive of this house was not asked: it cannot be searched here."


async def ask_archive(toolset: Toolset | None, target: Target) -> Collected:
    """Sentences of the archive that name the target, as facts with their passages."""
    search = toolset.get(SEARCH) if toolset is not None else None
    if search is None:
        return _without(NO_ARCHIVE, Response.NOT_ASKED)
    names = names_of(target)
    try:
        reply = await search(search.parse(_query(names)))
    except (ToolFailed, ToolRetry) as error:
        return _without(str(error))
    except AgentError:
        raise
    except Exception as error:  # an archive that is empty, or without its models, is missing and no more
        return _without(f"The archive could not be searched ({type(error).__name__}).")
    return _collected(search, target, names, reply)


def _collected(search: Tool[Any], target: Target, names: Sequence[str], reply: ToolReply) -> Collected:
    records = tuple(record for record in reply.records if record.source.origin is Origin.DOCUMENT)
    facts = tuple(_facts(names, records))[:SENTENCES]
    if not facts:
        return _without(
            f"The archive was searched, and no passage of it names {target.symbol}.", Response.NO_ROW
        )
    data = Facts(target=target.symbol, facts=facts).model_dump(mode="json")
    told = ToolReply(records, reply.summary, reply.note, data)
    return replace(collected_of(search, FIRST_KEY, target.symbol, told), source=NAME, topics=(Topic.ARCHIVE,))


def _without(why: str, answer: Response = Response.FAILED) -> Collected:
    return Collected(SEARCH, NAME, missing=(why,), topics=(Topic.ARCHIVE,), answer=answer)


def _facts(names: Sequence[str], records: Sequence[ToolRecord]) -> Iterator[Fact]:
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])", re.IGNORECASE)
    told: set[str] = set()
    for place, record in enumerate(records):
        for sentence in split_sentences(record.place.text):
            if named.search(sentence) and len(sentence) <= LONGEST and sentence not in told:
                told.add(sentence)
                yield Fact(topic=Topic.ARCHIVE, text=sentence, quotes=(sentence,), record=place, species="")


def names_of(target: Target) -> tuple[str, ...]:
    """The names by which people write of the target; short aliases mean too many things."""
    long = (name for name in target.symbols[1:] if len(name) > 3)
    return tuple(dict.fromkeys(filter(None, (target.symbol, target.name, *long))))


def _query(names: Sequence[str]) -> str:
    return json.dumps({"query": " ".join(names[:4]), "limit": PASSAGES})
