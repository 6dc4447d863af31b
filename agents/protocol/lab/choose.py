"""What a program is given: its tables and values, from what the task names and what the tables hold."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pydantic import BaseModel, ValidationError

from agents.protocol.lab.design import SAMPLES, Design, Given, compared
from agents.protocol.lab.families import MARKERS, Family, template
from agents.protocol.lab.tables import (
    Table,
    WrongInput,
    as_csv,
    check_counts,
    is_number,
    known,
    named,
    read_table,
    rows_with,
)
from agents.protocol.tables import EVENT, TIME, alike

OF_DESIGN = frozenset({"group", "block", "only"})
"""What is asked for and reaches the program as a table of samples or subjects."""
SUBJECTS = "subjects.csv"
"""The rows of a table of survival that are meant."""
RANKED = "ranked.csv"
"""The results of an earlier task, as the program of pathways reads them."""
HAPPENED = re.compile(r"dead|deceased|died|death|event|yes|true|relapsed?|progress\w*|1|1\.0", re.I)
LISTS = ("covariates", "categories", "published")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a program gets: values, names of given files, files that were made for it, and notes."""

    choices: BaseModel
    used: tuple[str, ...]
    made: tuple[tuple[str, bytes], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Draft:
    """Values as they are found, before they are checked."""

    values: Mapping[str, Any]
    used: tuple[str, ...]
    made: tuple[tuple[str, bytes], ...] = ()
    notes: tuple[str, ...] = ()


def choose(family: Family, given: Given, follows: bool = False) -> Chosen:
    """What the program of a family gets. `follows`: the task is run on the results of an earlier one.

    Raises `WrongInput`.
    """
    draft = _pathway(given, follows) if family.name == "pathway" else CHOOSERS[family.name](given)
    fields = family.choices.model_fields
    asked: dict[str, Any] = {
        name: _listed(value) if name in LISTS else value
        for name, value in given.asked.items()
        if name in fields and name not in draft.values
    }
    odd = [name for name in given.asked if name not in fields and name not in OF_DESIGN]
    notes = (f"Not used by this program: {named(odd)}.",) if odd else ()
    try:
        choices = family.choices.model_validate({**asked, **draft.values})
    except ValidationError as error:
        fault = error.errors()[0]
        raise WrongInput(f"{fault['loc'][0]} cannot be {fault['input']!r}: {fault['msg']}.") from error
    return Chosen(choices, draft.used, draft.made, (*draft.notes, *notes))


def _listed(value: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in value.split(",") if one.strip())


def _compared(role: str, check: Callable[[Table], object], given: Given) -> _Draft:
    design = compared(given)
    check(design.values)
    return _draft(given, role, design.values, design)


def _draft(given: Given, role: str, values: Table, design: Design | None) -> _Draft:
    """Values in a role, with the groups of their samples where these are compared, and symbols of genes."""
    symbols = _symbols(given, values)
    found = {role: values.name, "symbols": symbols.name if symbols else ""}
    used = (values.name, *((symbols.name,) if symbols else ()))
    if design is None:
        return _Draft(found, used)
    found |= {"samples": SAMPLES, "reference": design.reference, "other": design.other}
    return _Draft(found, used, ((SAMPLES, design.table),), design.notes)


def _survival(given: Given) -> _Draft:
    table, time, event = _times(given)
    used: tuple[str, ...] = (table.name,)
    made, notes = tuple[tuple[str, bytes], ...](), tuple[str, ...]()
    if only := given.asked.get("only", ""):
        whole, table = table, replace(rows_with(table, only), name=SUBJECTS)
        used, made = (), ((SUBJECTS, as_csv(table.columns, table.rows)),)
        notes = (f"Of {len(whole.rows)} rows of {whole.name} the {len(table.rows)} with {only} are taken.",)
    states = table.levels(event)
    happened = given.asked.get("event_is") or _happened(states)
    if happened not in states:
        raise WrongInput(f"{event} of {table.name} is never {happened!r}. It is {named(states)}.")
    covariates = _listed(given.asked.get("covariates", ""))
    used_up = {time, event, table.columns[0], *covariates}
    group = given.asked.get("group", "") or _grouping(given, table, used_up)
    for name in (*filter(None, (group,)), *covariates):
        table.column(name)
    values = {"table": table.name, "time": time, "event": event, "event_is": happened, "group": group}
    note = f"The event is {event} = {happened}; times are {time} of {table.name}."
    return _Draft({**values, "covariates": covariates}, used, made, (note, *notes))


def _times(given: Given) -> tuple[Table, str, str]:
    """The table of subjects, and its columns of time and event."""
    for table in given.tables.values():
        time = given.asked.get("time") or _first(table, TIME, _all_numbers)
        event = given.asked.get("event") or _first(table, EVENT, _two, like=time)
        if time in table.columns and event in table.columns:
            if not _all_numbers(table.column(time)):
                raise WrongInput(f"{time} of {table.name} holds something that is no time.")
            return table, time, event
    raise WrongInput(
        "No table has a column of times and one that says whether the event happened (such as time and "
        "status): name both."
    )


def _first(
    table: Table, pattern: re.Pattern[str], fits: Callable[[tuple[str, ...]], bool], like: str = ""
) -> str:
    """The first column that fits, those first that are named alike."""
    ordered = alike(table.columns, like)
    return next((one for one in ordered if pattern.search(one) and fits(table.column(one))), "")


def _two(values: tuple[str, ...]) -> bool:
    return len({*filter(known, values)}) == 2


def _all_numbers(values: tuple[str, ...]) -> bool:
    return all(is_number(one) for one in values if known(one))


def _happened(states: tuple[str, ...]) -> str:
    """The value that says that the event happened: 2 of 1 and 2, as the survival package has it."""
    if {*states} == {"1", "2"}:
        return "2"
    return next((one for one in states if HAPPENED.fullmatch(one)), "1")


def _grouping(given: Given, table: Table, used: set[str]) -> str:
    """The column that the text names; "" where it names none, and no other question is asked."""
    free = [one for one in table.columns if one not in used]
    return next((one for one in free if given.mentions(one) and len(table.levels(one)) > 1), "")


def _pathway(given: Given, follows: bool) -> _Draft:
    if not given.sets:
        raise WrongInput(
            "There are no gene sets. Put a GMT file into the literature folder (a set a line: name, "
            "description, symbols), as reactome.org and MSigDB offer, and refresh this task."
        )
    wanted = given.asked.get("sets", "")
    sets = next((one for one in given.sets if wanted and wanted.lower() in one.lower()), given.sets[0])
    if follows:
        return _Draft({"ranked": RANKED, "sets": sets, "gene_column": "symbol"}, (sets,))
    column = next((one for one in ("symbol", "gene") if _with_columns(given, one, "statistic", "padj")), "")
    ranked = _with_columns(given, column, "statistic", "padj") if column else None
    if ranked is None:
        raise WrongInput("There is no table of genes with the columns symbol, statistic and padj.")
    return _Draft({"ranked": ranked.name, "sets": sets, "gene_column": column}, (ranked.name, sets))


def _infiltration(given: Given) -> _Draft:
    markers = _with_columns(given, "cell_type", "gene")
    others = {name: one for name, one in given.tables.items() if one is not markers}
    rest = Given(others, given.sets, given.text, given.asked)
    tables = [one for one in others.values() if not {"id", "symbol"} <= {*one.columns}]
    if not tables:
        raise WrongInput("There is no table of expression: genes in rows, samples in columns.")
    design = compared(rest) if len(tables) > 1 else None
    values = design.values if design else tables[0]
    values.numbers()
    draft = _draft(rest, "expression", values, design)
    _check_markers(values, _symbols(rest, values), markers)
    if markers is None:
        made = (*draft.made, (MARKERS, template(MARKERS).encode()))
        note = "Markers of immune cells are those of Danaher and others (2017)."
        return _Draft(draft.values, draft.used, made, (*draft.notes, note))
    return _Draft(
        {**draft.values, "markers": markers.name}, (*draft.used, markers.name), draft.made, draft.notes
    )


def _single_cell(given: Given) -> _Draft:
    labels = _with_columns(given, "cell", "label")
    values = max(
        (one for one in given.tables.values() if one is not labels),
        key=lambda one: len(one.columns),
        default=None,
    )
    if values is None or len(values.columns) < 50:
        raise WrongInput("There is no table of cells: genes in rows, at least 50 cells in columns.")
    values.numbers()
    found = {"expression": values.name, "labels": labels.name if labels else ""}
    return _Draft(found, (values.name, *((labels.name,) if labels else ())))


def _symbols(given: Given, values: Table) -> Table | None:
    """The table that has symbols for most rows of values; None where none has any."""
    rows = {row[0].partition(".")[0] for row in values.rows} | {row[0] for row in values.rows}
    tables = [one for one in given.tables.values() if {"id", "symbol"} <= {*one.columns}]
    shared = [(len(rows.intersection(one.column("id"))), one) for one in tables]
    most, best = max(shared, key=lambda pair: pair[0], default=(0, None))
    return best if most else None


def _check_markers(values: Table, symbols: Table | None, markers: Table | None) -> None:
    """Raises `WrongInput` where no marker is among the genes."""
    ids = dict(zip(symbols.column("id"), symbols.column("symbol"), strict=True)) if symbols else {}
    names = (row[0] for row in values.rows)
    genes = {ids.get(one.partition(".")[0], ids.get(one, one)).upper() for one in names}
    wanted = markers or read_table(MARKERS, template(MARKERS).encode())
    if not genes.intersection(one.upper() for one in wanted.column("gene")):
        raise WrongInput(
            f"No marker is among the genes of {values.name}: they need symbols. Give symbols.csv with "
            "the columns id and symbol."
        )


def _with_columns(given: Given, *columns: str) -> Table | None:
    """The first table that has these columns."""
    return next((one for one in given.tables.values() if {*columns} <= {*one.columns}), None)


CHOOSERS: Mapping[str, Callable[[Given], _Draft]] = {
    "bulk_rnaseq": partial(_compared, "counts", check_counts),
    "microarray": partial(_compared, "expression", Table.numbers),
    "signature": partial(_compared, "expression", Table.numbers),
    "survival": _survival,
    "infiltration": _infiltration,
    "single_cell": _single_cell,
}
