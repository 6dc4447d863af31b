"""What a look at a protocol finds: conditions and requirements that no step meets, sample sizes, hazards."""

import math
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from statistics import NormalDist
from typing import Any

from agents.minds.minded import RULES
from agents.protocol.design import COMPARING
from agents.protocol.markdown import text_in
from agents.protocol.study import Study, differences
from agents.protocol.templates import BY_KIND, DENIED, any_word, denying, templates, title_of
from agents.protocol.values import Check, Dataset, Objective, Protocol
from agents.text.words import content_words

POWER = 0.8
CORRELATION = 0.5
"""Of the two samples of a pair, as it is assumed; their difference varies by 1 - r of what two samples do."""
MET = 0.75
"""The share of a requirement's words that steps must have."""
LEVEL, STRICT = 0.05, 0.001
"""Two-sided levels: of one test, and where thousands are done."""
VARIATION, VARIATION_OF_LINES, DEPTH, FOLD = 0.4, 0.1, 20.0, 2.0
"""Biological coefficients of variation of people, and of cell lines and inbred animals (edgeR's user guide,
section 2.12); reads of the gene; change.
"""
EFFECT = 1.0
ANIMALS = "Animals"
RATIO, SHARE = 1.5, 0.5
ASSUMED = {
    "fold": f"{FOLD:g}",
    "depth": f"{DEPTH:g}",
    "effect": f"{EFFECT:g}",
    "ratio": f"{RATIO:g}",
    "level": f"{LEVEL:g}",
    "strict": f"{STRICT:g}",
}
"""What sample sizes assume, as it is told."""
_SAMPLES = re.compile(
    r"\b(\d{1,5})\s+(?:[\w-]+\s+){0,2}(?:samples|patients|cases|subjects|animals|mice|rats|goats|donors|arrays|tumou?rs)\b",
    re.IGNORECASE,
)
SAFETY = re.compile("hazard|safety", re.IGNORECASE)
_POWER = re.compile(
    r"\d\s?% power|power (?:of |should be )?(?:at least )?(?:0\.|\d)|power\.\w+\.test", re.IGNORECASE
)
_LIMIT = re.compile(r"\b(?:only|budget|EUR|USD|GBP|CHF|euros?|dollars?)\b|[€$£]", re.IGNORECASE)
_GENERAL = content_words(
    "analysis analyses must should include use give least sample samples data machine access treated"
)
"""Words that name nothing in a condition or a requirement."""


def checked(objective: Objective, protocol: Protocol, datasets: Sequence[Dataset]) -> tuple[Check, ...]:
    """All checks of a protocol."""
    steps = "\n".join(map(text_in, protocol.parts))
    told = "\n".join(text_in(one) for one in protocol.parts if SAFETY.search(one.heading))
    return (
        *_conditions(objective, protocol, steps),
        *_unlike(protocol),
        *sample_sizes(objective, protocol, datasets),
        *hazards(f"{objective.whole}\n{steps}" if protocol.by == RULES else steps, told),
    )


def _unlike(protocol: Protocol) -> Iterator[Check]:
    """Sizes and pairing in the text that differ from the design table."""
    for part in protocol.parts:
        for number, step in enumerate((one for one in part.steps if one.proposed), start=1):
            for told in differences(protocol.study, step.text):
                yield Check("condition", f"{part.heading}, step {number}: {told}", "missing")


def _conditions(objective: Objective, protocol: Protocol, steps: str) -> Iterator[Check]:
    for task in (one for one in protocol.tasks if one.why_not):
        yield Check("condition", f"{title_of(task.assay_family, task.id)}: {task.why_not}", "missing")
    if protocol.by == RULES and {*COMPARING} & {*protocol.families} and not protocol.study.groups:
        yield Check("condition", "The request does not name the two groups that are compared.")
    yield from _lacking(objective, protocol)
    said = content_words(f"{steps} {protocol.study.facts}")
    for one in objective.requirements if protocol.by == RULES else ():
        words = content_words(one) - _GENERAL
        met = sum(any(each.startswith(word) for each in said) for word in words)
        if met < MET * len(words):
            yield Check("condition", f"No step speaks of the requirement “{one}”.", "missing")


def _lacking(objective: Objective, protocol: Protocol) -> Iterator[Check]:
    """Budgets, what alone there is, and what needs a thing that a condition denies: steps, families without a
    table, and where one is missing families at the bench of which the objective speaks.
    """
    without = {one.assay_family for one in protocol.tasks if one.why_not}
    needs = {part.heading: text_in(part) for part in protocol.parts}
    for family in templates().values():
        asked = any_word(family.method).search(family.said(objective.text))
        if family.name in without or (without and not family.task and asked):
            needs[family.title] = family.method
    for one in objective.conditions:
        if _LIMIT.search(one):
            yield Check("condition", f"Nobody compared the steps or their costs with “{one}”.")
        for denied in re.findall(rf"{DENIED}([\w-]+(?: [\w-]+)?)", denying(one), re.IGNORECASE):
            words = content_words(denied) - _GENERAL
            for name, text in needs.items() if words else ():
                if words <= content_words(re.sub(rf"{DENIED}[\w-]+", " ", text)):
                    yield Check("condition", f"{name} needs what “{one}” denies.", "missing")


def sample_sizes(objective: Objective, protocol: Protocol, datasets: Sequence[Dataset]) -> Iterator[Check]:
    """The samples or pairs that each family needs, and what those that are planned or at hand can find."""
    told, study = _file(), protocol.study
    if protocol.by != RULES or _POWER.search("\n".join(map(text_in, protocol.parts))):
        return
    pairs = f"a correlation of {CORRELATION:g} within pairs, " if study.paired else ""
    variation = variation_in(objective)
    held = {BY_KIND.get(file.kind, "") for one in datasets if one.usable for file in one.files}
    for name in (one for one in protocol.families if one in told["sizes"]):
        words = {"unit": study.unit, "pairs": pairs, "variation": f"{variation:g}", **ASSUMED}
        need = _need(name, variation, study)
        title = templates()[name].title
        if name not in held or name in told["found"]:
            yield Check("power", f"{title}: {told['sizes'][name].format(need=need, **words)}")
        for what, samples in _counted(objective, study, datasets, name):
            each = study.smallest or samples // 2
            least = _told(_least(name, each, variation, study))
            found = told["found"][name].format(
                accession=what, samples=samples, each=each, least=least, **words
            )
            yield Check("power", f"{title}: {found}")
    if study.smallest > 1 and not {*protocol.families} & {*_OF}:
        least = _told(effect_found(study.smallest, LEVEL, CORRELATION * study.paired))
        found = told["found"]["design"].format(
            each=study.smallest, unit=study.unit, pairs=pairs, least=least, **ASSUMED
        )
        yield Check("power", found)


def _told(least: float) -> str:
    return "more than ten" if least > 10 else f"{least:.1f}"


def _counted(
    objective: Objective, study: Study, datasets: Sequence[Dataset], family: str
) -> Iterator[tuple[str, int]]:
    """Samples of the design, else of the datasets that a family reads, else those of the conditions."""
    kinds = _OF.get(family, ())
    fit = [one for one in datasets if one.usable and any(file.kind in kinds for file in one.files)]
    named = [("The team", int(found[1])) for one in objective.conditions if (found := _SAMPLES.search(one))]
    planned = [("The design", sum(one.samples for one in study.groups))] if study.smallest else []
    for what, samples in planned or [(one.accession, one.samples or 0) for one in fit] or named:
        if kinds and samples > 3:
            yield what, samples


_OF = {"bulk_rnaseq": ("counts",), "microarray": ("expression",), "infiltration": ("expression", "counts")}
"""Tables whose columns are the samples of a family."""


def variation_in(objective: Objective) -> float:
    """The biological coefficient of variation to plan with: that of cell lines where only these are named."""
    cells = any_word(templates()["culture"].words).search(objective.whole)
    others = any_word(_file()["varied"]).search(objective.whole)
    return VARIATION_OF_LINES if cells and not others else VARIATION


def _need(family: str, variation: float, study: Study) -> int:
    """Samples in each group, pairs, or events; 0 where a convention stands in place of a formula."""
    r = CORRELATION * study.paired
    if family == "bulk_rnaseq":
        return counts_per_group(FOLD, variation, DEPTH, STRICT, r)
    if family == "survival":
        return events_needed(RATIO, SHARE, LEVEL)
    levels = {"microarray": STRICT, "infiltration": LEVEL}
    return means_per_group(EFFECT, levels[family], r) if family in levels else 0


def _least(family: str, each: int, variation: float, study: Study) -> float:
    """The smallest change that groups of this size, or so many pairs, find."""
    r = CORRELATION * study.paired
    if family == "bulk_rnaseq":
        return fold_found(each, variation, DEPTH, STRICT, r)
    return effect_found(each, STRICT if family == "microarray" else LEVEL, r)


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(files("agents.protocol").joinpath("checks.toml").read_text(encoding="utf-8"))


_NO_HAZARD = re.compile(
    r"-free\b|(?:\s\w)?\svaccin|::|,? \(?m = |\s(?:anti-|serum)|[-*\s]+(?:antigen|specific|positiv|negativ)",
    re.IGNORECASE,
)
"""What follows a word that tells of no hazard: "methanol-free", "hepatitis B vaccination", "mice, m = 20",
"goat anti-mouse", "HIV-positive".
"""
_BEFORE = re.compile(
    rf"(?:\bpackages?|\bR [^;\n]{{,9}}with)\b[^.;\n]*$|`$|\blibrary\(\W*$|{DENIED}$|\bexclu[ds][^;\n]*$"
    r"|antigens? (?:of|from)\W*$",
    re.IGNORECASE,
)
"""What stands before such a word: "R 4.2 with survival, mice", "`mice`", "library(mice)", "no animals",
"exclusion: HIV", "antigens of M. tuberculosis".
"""


@cache
def _hazards(animals: bool) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """Title, words and text of each; words that tell of persons or of animals count where these are not."""
    return tuple(
        (one["title"], any_word(f"{one['words']} | {'' if animals else one.get('else', '')}"), one["text"])
        for one in _file()["hazards"]
    )


def hazards(text: str, told: str = "") -> tuple[Check, ...]:
    """What is dangerous or needs a permission, by words of objective and steps, with the word that told;
    without kinds of which `told` has a word.
    """
    animals = next(pattern for title, pattern, _ in _hazards(True) if title == ANIMALS)
    kinds = _hazards(bool(_named(animals, text)))
    return tuple(
        Check("hazard", f"{title} (“{word}”): {what}")
        for title, pattern, what in kinds
        if (word := _named(pattern, text)) and not _named(pattern, told)
    )


def _named(pattern: re.Pattern[str], text: str) -> str:
    return next((one[0] for one in pattern.finditer(text) if _dangerous(text, one)), "")


def _dangerous(text: str, word: re.Match[str]) -> bool:
    before = text[max(0, word.start() - 150) : word.start()]
    return not (_NO_HAZARD.match(text, word.end()) or _BEFORE.search(before))


def _z(level: float, power: float = POWER) -> float:
    """z of a two-sided level plus z of the power."""
    normal = NormalDist()
    return normal.inv_cdf(1 - level / 2) + normal.inv_cdf(power)


def counts_per_group(fold: float, variation: float, depth: float, level: float, r: float = 0.0) -> int:
    """Samples in each group, or pairs, to find a gene that changes by `fold`.

    `variation` is the biological coefficient of variation, `depth` the reads of the gene, `r` the correlation
    within pairs, which leaves 1 - r of it. Hart and others (2013), J Comput Biol 20:970, equation 1.
    """
    return math.ceil(2 * _z(level) ** 2 * (1 / depth + (1 - r) * variation**2) / math.log(fold) ** 2)


def fold_found(samples: int, variation: float, depth: float, level: float, r: float = 0.0) -> float:
    """The smallest change that a group of this size finds: the formula of `counts_per_group` turned round."""
    return math.exp(math.sqrt(2 * _z(level) ** 2 * (1 / depth + (1 - r) * variation**2) / samples))


def means_per_group(effect: float, level: float, r: float = 0.0) -> int:
    """Samples in each group, or pairs, to find a difference of `effect` standard deviations:
    2 (1 - r) (z / d)², and for the unknown variance z² / 4, of pairs z² / 2 (Guenther 1981).
    """
    return math.ceil(2 * (1 - r) * (_z(level) / effect) ** 2 + _for_variance(level, r))


def effect_found(samples: int, level: float, r: float = 0.0) -> float:
    """The smallest difference, in standard deviations, that a group of this size finds: the formula of
    `means_per_group` turned round; infinite for too few samples.
    """
    left = samples - _for_variance(level, r)
    return math.sqrt(2 * (1 - r) / left) * _z(level) if left > 0 else math.inf


def _for_variance(level: float, r: float) -> float:
    return NormalDist().inv_cdf(1 - level / 2) ** 2 / (2 if r else 4)


def events_needed(hazard_ratio: float, share: float, level: float) -> int:
    """Events to find a hazard ratio with this `share` of subjects in one group. Schoenfeld (1983), Biometrics
    39:499.
    """
    return math.ceil(_z(level) ** 2 / (share * (1 - share) * math.log(hazard_ratio) ** 2))
