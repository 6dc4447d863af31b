"""SIDER: adverse reactions that the labels of drugs list, and which of them the drugs of a target share.

Bulk: `meddra_all_se.tsv` (drug, effect) and `drug_names.tsv`. A label lists far more than its drug brings, so
an effect counts where drugs of one action on the target share it more often than drugs at large do
(binomial tail; at most `CHANCE`), or where all of three or more list it. Drugs that act on other proteins
too, or more strongly, count where no two others do the same. Of a single drug the effects are told that few
list.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from agents.counts import listed
from agents.databases.bulk_format import BulkFormat, Row, columns, under
from agents.databases.database import database
from agents.databases.drugs import Drug, acting
from agents.databases.edition import Edition, absent
from agents.databases.facts import Change, Topic
from agents.databases.followed import followed
from agents.databases.gtopdb import synonyms_of
from agents.databases.ports import Reach
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

NAMES = "sider-names"
PAGE = "https://sideeffects.embl.de/download/"
ALL = "every drug"
"""The key of the number of drugs."""
CHANCE, SURE, RARE = 0.05, 0.005, 0.1
"""The chance up to which an effect of half of the drugs is told, and up to which one counts by itself; the
share of drugs at large up to which one is told of a single drug.
"""
FEWEST = 2
"""Drugs that share an effect, at least."""
COMMON = 0.6
"""The share of drugs at large from which on it says nothing that all drugs of the target bring an effect."""
TIMES, MANY = 2, 0.4
"""What stands out: twice the share of drugs at large (S. J. W. Evans 2001), which is below two fifths."""
SHOWN, DRUGS = 30, 25
CUT = (
    "Of SIDER the reactions are told that drugs of the target share more often than by chance, or that all "
    "of three or more list; their labels list many more."
)
SHARED_REACTION, ONE_REACTION = "adverse reaction that drugs share", "adverse reaction of one drug"
EVERYWHERE = "adverse reaction of drugs at large"
NO_EFFECT = re.compile(
    r"^(?:infection|infestation|angiopathy|malnutrition|cyst|polyp|condition aggravated|death"
    r"|disease (?:progression|recurrence)|drug (?:ineffective|interaction)|no adverse event)$|overdose"
    r"|^head injury|^wound|procedur|false positive|^(?:haemoglobin|hepatitis a|menopausal symptoms)$"
    r"|neoplasm|carcinoma|cancer|tumou?r|metasta|lymphoma|leuka?emia|melanoma|myeloma|sarcoma"
    r"|^(?:\w+ (?:system|tissue|tract)|skin|mental|cardiac|gastrointestinal|hepatobiliary|breast|ear|eye"
    r"|bone) dis(?:order|ease)$",
    re.IGNORECASE,
)
"""Classes of effects, which MedDRA has beside them, tumours (mostly the disease treated), and no effects."""


def effects(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """The preferred terms of each drug under its id, how many drugs list each, and how many there are."""
    drugs: dict[str, set[str]] = defaultdict(set)
    for row in columns(lines, "flat", "stereo", "label", "level", "cui", "effect"):
        if row["level"] == "PT":
            drugs[row["flat"]].add(row["effect"])
    for drug, terms in drugs.items():
        yield drug, {"effects": "|".join(sorted(terms))}
    counted = Counter(term for terms in drugs.values() for term in terms)
    for term, count in (*counted.items(), (ALL, len(drugs))):
        yield f"effect {term}", {"drugs": str(count)}


def names(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """The id of each drug under its name."""
    for row in columns(lines, "flat", "name"):
        yield from under({"flat": row["flat"]}, row["name"])


def _begins(pattern: str, head: Sequence[str]) -> bool:
    return any(re.match(pattern, line) for line in head[:2])


SIDER = database(
    "sider",
    BulkFormat(
        "sider",
        "meddra_all_se.tsv.gz",
        PAGE,
        "STITCH id, STITCH id, UMLS id, PT or LLT, UMLS id, effect; no header",
        lambda head: _begins(r"CID1\d{8}\tCID0\d+\tC\d{7}\t(?:PT|LLT)?\tC\d{7}\t", head),
        effects,
    ),
    BulkFormat(
        NAMES,
        "drug_names.tsv",
        PAGE,
        "STITCH id, name",
        lambda head: _begins(r"CID1\d{8}\t[^\t]+$", head),
        names,
    ),
)


async def reactions_of(reach: Reach, target: Target) -> TargetFindings:
    """The effects that the drugs of a target share, by what they do to it. Raises `ToolFailed`."""
    loaded = reach.bulk.release(SIDER.name)
    if loaded is None or reach.bulk.release(NAMES) is None:
        return unasked(SIDER)
    by_change: dict[Change, dict[Drug, frozenset[str]]] = defaultdict(dict)
    for drug in await followed(reach, target, most=DRUGS, approved=True):
        if drug.change and (terms := await _effects(reach, drug)):
            by_change[drug.change][drug] = terms
    if not by_change:
        return absent(
            f"SIDER holds no drug that is known to inhibit or activate {target.symbol}, which does not say "
            "that there is none."
        )
    sheets = []
    for drugs in by_change.values():
        sheet = Edition.of_bulk(SIDER, loaded).sheet(
            f"adverse reactions of drugs on {target.symbol}", target.symbol
        )
        names = [drug.name.casefold() for drug in drugs]
        # a prodrug, isomer or metabolite is no second witness ("fosaprepitant" beside "aprepitant")
        own = {one: drugs[one] for one in drugs if sum(map(one.name.casefold().endswith, names)) == 1}
        main = {drug: terms for drug, terms in own.items() if not drug.minor}
        alone = {drug: terms for drug, terms in main.items() if not drug.shared}
        await _tell(reach, sheet, target, next((one for one in (alone, main) if len(one) >= FEWEST), own))
        sheets.append(sheet)
    nothing = f"SIDER: the drugs of {target.symbol} share no adverse reaction."
    return target_findings(
        sheets, nothing=nothing, missing=(CUT,) if any(one.facts for one in sheets) else ()
    )


async def _effects(reach: Reach, drug: Drug) -> frozenset[str]:
    """What SIDER lists for a drug, by its name or another one; without tumours and classes of effects."""
    for name in (drug.name, *await synonyms_of(reach.bulk, drug)):
        for row in await reach.bulk.rows(NAMES, name):
            for found in await reach.bulk.rows(SIDER.name, row["flat"]):
                terms = found["effects"].split("|")
                return frozenset(one for one in terms if not NO_EFFECT.search(one))
    return frozenset()


async def _share(reach: Reach, term: str) -> float:
    """The share of all drugs that list an effect."""
    own, every = [await reach.bulk.rows(SIDER.name, f"effect {one}") for one in (term, ALL)]
    return int(own[0]["drugs"]) / int(every[0]["drugs"])


async def _tell(reach: Reach, sheet: Sheet, target: Target, drugs: dict[Drug, frozenset[str]]) -> None:
    """The effects that are least to be expected by chance, a fact each, those of most drugs first."""
    found = []
    for term, count in Counter(term for terms in drugs.values() for term in terms).items():
        share = await _share(reach, term)
        chance = sum(
            math.comb(len(drugs), k) * share**k * (1 - share) ** (len(drugs) - k)
            for k in range(count, len(drugs) + 1)
        )
        shared = count >= FEWEST and (
            chance <= SURE
            or (2 * count >= len(drugs) and chance <= CHANCE)
            or (count == len(drugs) > FEWEST and share <= COMMON)
        )
        if shared or (len(drugs) == 1 and share <= RARE):
            found.append((chance, term, count, share))
    acts = acting(next(iter(drugs)).action, target.symbol)
    found.sort()
    for chance, term, count, share in sorted(found[:SHOWN], key=lambda one: -one[2]):
        own = [drug for drug, terms in drugs.items() if term in terms]
        out = count >= TIMES * share * len(drugs) and share < MANY
        several = f"{count} of {len(drugs)} drugs in SIDER of which each {acts}"
        sheet.state(
            Topic.ADVERSE_EVENT,
            f"{term} stands in the labels of {listed([one.name for one in own])}, "
            f"{several if len(drugs) > 1 else f'which {acts}'}, and of {100 * share:.1f}% of all drugs",
            term=term,
            change=own[0].change,
            shared=all(one.shared for one in own),
            measure=(SHARED_REACTION if out else EVERYWHERE) if len(drugs) > 1 else ONE_REACTION,
            value=chance,
        )


sider_tool = TargetTool("shared_reactions", SIDER, reactions_of, (Topic.ADVERSE_EVENT,))
