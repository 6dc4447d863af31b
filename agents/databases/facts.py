"""What a tool found, as facts that a report can state: the `data` of every database's reply.

A record is the text that is cited; a fact is one sentence about it, with the lines of the record that carry
it, and the same in fields, so that rules can weigh and count it.
"""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from agents.databases.topics import Topic as Topic


class Change(StrEnum):
    """What was done to the target, in a gene or by a medicine."""

    LOSS = "loss"
    GAIN = "gain"
    INHIBITION = "inhibition"
    ACTIVATION = "activation"
    NOT_TOLD = ""
    """Nothing was, or the source does not say."""


class Response(StrEnum):
    """What came of asking a database."""

    FOUND = "yes"
    NO_ROW = "no row"
    """It was asked, and holds nothing on the target."""
    FAILED = "failed"
    NOT_ASKED = "not asked"


class Fact(BaseModel):
    """One fact.

    `text` is the sentence as a report states it, `quotes` are verbatim lines of record `record` (from 0)
    that carry it: every number, name and unit of the sentence stands in them or in the record's title.
    `term` is the bare thing ("decreased heart rate", "heart", "Long QT syndrome"), `id` its id there
    ("MP:0005333"). `species` is "human", "mouse" or another common name. `change` says what was done to the
    target. `value` and `unit` hold a
    number that rules weigh (a TPM, a p-value, a count of trials), with what it measures in `measure`.
    `assumed`: the source does not say what was changed, and `change` is how it is read. `shared`: it was seen
    with a drug that acts on other proteins too, so that it may come from them. `local`: it was seen with a
    drug given into the eye or on the skin, so that it may come of the place. `genotype` is the allele of an
    animal with its zygosity.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    topic: Topic
    text: str
    quotes: tuple[str, ...] = ()
    record: int = 0
    term: str = ""
    id: str = ""
    species: str = "human"
    change: Change = Change.NOT_TOLD
    measure: str = ""
    value: float | None = None
    unit: str = ""
    assumed: bool = False
    shared: bool = False
    local: bool = False
    genotype: str = ""


class Facts(BaseModel):
    """All facts of one reply. `missing` says in whole sentences what the database could not tell and why.

    `answer` tells a database that holds nothing on the target from one that was not asked, or failed.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    target: str = ""
    facts: tuple[Fact, ...] = ()
    missing: tuple[str, ...] = Field(default=())
    answer: Response | None = None
