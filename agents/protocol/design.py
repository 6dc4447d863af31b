"""A protocol from templates, filled from evidence (BioResearcher, section 3.4), by rules.

A step of a template is the designer's own and proposed; steps of articles that did the same follow it, word
for word. `agents.protocol.writer` designs with a language model.
"""

import re
from collections.abc import Iterable, Sequence

from agents.protocol.judge import REFERABLE, is_named
from agents.protocol.lab.families import FAMILIES
from agents.protocol.study import Study
from agents.protocol.templates import COMMON, Part, families_of, templates
from agents.protocol.values import (
    Dataset,
    DryTask,
    ExperimentReport,
    Objective,
    Protocol,
    ProtocolPart,
    ProtocolStep,
    ReportStep,
    TaskFile,
)
from retrieval.passages import plain

PRECEDENTS, OF_ARTICLE = 3, 2
"""Steps of articles for one part of the protocol, and of one article, at most."""
LONGEST = 600
"""Characters of a step of an article that is shown as a precedent."""
COMPARING = ("bulk_rnaseq", "microarray", "infiltration", "signature")
"""Families that compare two groups of samples."""
RANKING = ("bulk_rnaseq", "microarray")
"""Families whose results are a ranked list of genes, which is held against published ones."""
PACKED = "AnnData"
UNPACK = (
    "Programs read no AnnData. Write {0} as a table beside it, genes in rows, up to 6,000 cells in columns: "
    "`pip install anndata`, then in Python `anndata.read_h5ad('{0}').to_df().T.to_csv('cells.csv')`."
)
MARKER, UNNAMED = "high against low values of the marker", "the two groups, which are still to be named"
SCOPE = (
    "Rules design the handling of samples, treated cultures and animals, and the analysis. Other work at the "
    "bench is shown as articles did it, and has to be added by hand or by a language model."
)


def design(
    objective: Objective, reports: Sequence[ExperimentReport], datasets: Sequence[Dataset], study: Study
) -> Protocol:
    """The protocol by rules, without its checks."""
    families = families_of(objective, datasets)
    words = _words(objective, datasets, study, not set(families) & {*COMPARING})
    kept = _referable(reports)
    common = templates()[COMMON]
    of_families = [(name, part) for name in families for part in templates()[name].parts]
    layout = [
        *((COMMON, part) for part in common.parts),
        *of_families,
        *((COMMON, part) for part in common.after),
    ]
    ids = {part.id for _, part in layout}
    parts: list[ProtocolPart] = []
    for name, part in layout:
        used = {key for one in parts for step in one.steps for key in step.rests_on}
        left = [one for one in kept if one[2].id not in used]
        parts.append(_part(name, part, words, left, ids))
    tasks = dry_tasks(objective, families, datasets, study)
    return Protocol(families, study, tuple(parts), tasks, notes=(SCOPE,))


def _words(
    objective: Objective, datasets: Sequence[Dataset], study: Study, by_marker: bool
) -> dict[str, str]:
    """What is filled into the steps of templates; `by_marker`: nothing but a marker makes groups."""
    usable = [one.accession for one in datasets if one.usable and is_named(one, objective)]
    return {
        "subject": objective.text.rstrip(". "),
        "data": ", ".join(usable[:5]) or "the datasets that are still to be chosen",
        "groups": study.text or (MARKER if by_marker else UNNAMED),
        "reference": study.groups[0].name if study.groups else "the control group",
        "model": study.model,
    }


def _referable(reports: Iterable[ExperimentReport]) -> list[tuple[str, str, ReportStep]]:
    """The steps that can be followed: article, heading, step."""
    return [
        (report.article.id, part.heading, step)
        for report in reports
        for part in report.parts
        if part.referable >= REFERABLE
        for step in part.steps
    ]


def _part(
    family: str,
    part: Part,
    words: dict[str, str],
    kept: Sequence[tuple[str, str, ReportStep]],
    ids: set[str],
) -> ProtocolPart:
    steps = [ProtocolStep(text.format_map(words)) for text in part.steps]
    steps += [ProtocolStep(step.text, (step.id,)) for step in precedents(part.like, kept)]
    needs = tuple(one for one in part.needs if one in ids)
    return ProtocolPart(part.id, part.heading, part.rationale, tuple(steps), family, needs)


def precedents(like: str, kept: Sequence[tuple[str, str, ReportStep]]) -> list[ReportStep]:
    """The steps of articles that have most of some words, those with values first; few of one article."""
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, like.split()))})\w*", re.IGNORECASE)
    ranked = []
    for place, (article, heading, step) in enumerate(kept):
        found = {match.casefold() for match in pattern.findall(plain(step.text))}
        headed = bool(pattern.search(heading))
        score = 2 * len(found) + 2 * headed + bool(re.search(r"\d", step.text))
        if found and len(found) + headed > 1 and len(step.text) <= LONGEST:
            ranked.append((-score, place, article, step))
    taken: list[ReportStep] = []
    count: dict[str, int] = {}
    for _, _, article, step in sorted(ranked, key=lambda one: one[:2]):
        if len(taken) < PRECEDENTS and count.get(article, 0) < OF_ARTICLE:
            count[article] = count.get(article, 0) + 1
            taken.append(step)
    return taken


def dry_tasks(
    objective: Objective, families: Sequence[str], datasets: Sequence[Dataset], study: Study
) -> tuple[DryTask, ...]:
    """The tasks that programs can do, each after those that it goes on from."""
    found: dict[str, DryTask] = {}
    for name in families:
        task = templates()[name].task
        if task is None:
            continue
        before = tuple(f"task-{one}" for one in task.after if f"task-{one}" in found)
        dataset = next((one for one in datasets if one.usable and _reads(one, task.reads)), None)
        why_not = _why_not(task.reads, task.after, dataset, before)
        packed = [file.name for one in datasets if one.usable for file in one.files if file.kind == PACKED]
        why_not = UNPACK.format(packed[0]) if why_not and packed and "cells" in task.reads else why_not
        found[f"task-{name}"] = DryTask(
            f"task-{name}",
            f"{task.description}: {objective.text}",
            name,
            inputs=tuple(TaskFile(one.name, kind_of(one.name), one.kind) for one in dataset.files)
            if dataset
            else (),
            depends_on=before,
            dataset=dataset,
            parameters=(*_parameters(dataset, study), *_published(objective, name)),
            section=task.section,
            why_not=why_not,
            outputs=files_of(FAMILIES[name].promised),
        )
    return tuple(found.values())


def _reads(dataset: Dataset, kinds: Sequence[str]) -> bool:
    return any(one.kind in kinds for one in dataset.files)


def _why_not(
    reads: Sequence[str], after: Sequence[str], dataset: Dataset | None, before: Sequence[str]
) -> str:
    if dataset is not None or before:
        return ""
    if after:
        return f"It goes on from the results of {' or '.join(after)}, which this protocol does not have."
    return (
        f"No table at hand holds {' or '.join(reads)} for it. Put one into the literature folder and name it "
        "in the conditions."
    )


def _parameters(dataset: Dataset | None, study: Study) -> tuple[tuple[str, str], ...]:
    """What the design says of a table of the dataset: groups and pairs, or times, event and variables."""
    files = dataset.files if dataset else ()
    columns = [column for one in files for column in one.columns]
    if any(one.kind == "survival" for one in files):
        asked = (
            *(("time", study.time), ("event", study.event), ("only", study.only), ("group", study.column)),
            ("reference", study.groups[0].name if study.groups else ""),
            ("covariates", ", ".join(study.adjusted)),
        )
        return tuple((name, value) for name, value in asked if value)
    if len(study.groups) < 2 or study.column not in columns:
        return ()
    reference, other = study.groups[0].name, study.groups[1].name
    block = study.within if study.within in columns else "none"
    return (("group", study.column), ("reference", reference), ("other", other), ("block", block))


def _published(objective: Objective, family: str) -> tuple[tuple[str, str], ...]:
    """The genes that the request names as published ("published genes: DUSP1, KLF15"), to be found again."""
    named = re.search(r"\bpublished\b[^:\n]*\bgenes\b[^:\n]*: *([^\n]+)", objective.whole, re.IGNORECASE)
    return (("published", named[1]),) if named and family in RANKING else ()


def files_of(names: Sequence[str]) -> tuple[TaskFile, ...]:
    """Files by their names, typed."""
    return tuple(TaskFile(one, kind_of(one)) for one in names)


def kind_of(name: str) -> str:
    """The type of a file by its ending."""
    return name.removesuffix(".gz").rpartition(".")[2]
