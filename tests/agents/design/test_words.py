"""What is understood: an order, a brief and its edits, what people say in mid-debate."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.chemistry.molecule import medicines, pattern, read_molecule
from agents.chemistry.properties import base_pka
from agents.chemistry.recognition import without
from agents.chemistry.transforms import changed
from agents.chemistry.wording import Wording
from agents.design import people
from agents.design.brief import (
    MEASURES,
    PARTS,
    asked,
    contradictions,
    desirability,
    drafted,
    edited,
    goal_desirability,
    in_words,
    unread,
    windows,
)
from agents.design.midway import goals_table
from agents.design.understand import (
    named_molecules,
    ordered,
    people_weight,
    structures,
    target_of,
    understand,
    without_structures,
)
from agents.design.values import Brief, Goal, Measure, Memory
from agents.errors import WrongOrder
from agents.kinds import Certainty, Guidance, ThreadContext, UserMessage
from agents.minds.debate import Entry, Floor, Proposal
from agents.runs.heard import Said
from tests.retrieval.minilm import remembering

ACETANILIDE, OTHER = "CC(=O)Nc1ccc(Cl)cc1", "c1ccc2[nH]ncc2c1"
NOTHING: ThreadContext[object, object] = ThreadContext()


def read(text: str, thread: ThreadContext[object, object] = NOTHING, *, asked_for: bool = False):  # type: ignore[no-untyped-def]
    return understand(UserMessage(text, "ada", asked_for=asked_for), thread)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"JNK3 inhibitors like {ACETANILIDE}, not like {OTHER}.", [(ACETANILIDE, False), (OTHER, True)]),
        ("start from CCO; logP 1-3 and TPSA<90", [("CCO", False)]),
        ("PIN1 and SOS1 binders (B-2) for CNS, IC50 of 5", []),
        (f"({ACETANILIDE})", [(ACETANILIDE, False)]),
        ("InChI=1S/CH4/h1H4", [("InChI=1S/CH4/h1H4", False)]),
    ],
)
def test_structures_are_told_from_words(text: str, found: list[tuple[str, bool]]) -> None:
    assert list(structures(text)) == found


def test_target_names_and_numbers_are_read() -> None:
    assert target_of("new brain-penetrant JNK3 inhibitors") == "JNK3"
    assert target_of("selective inhibitors") == ""
    assert named_molecules("like imatinib, not like sorafenib or abc-1, not like these") == (
        ("imatinib", False),
        ("sorafenib", True),
        ("abc-1", True),
    )
    assert named_molecules("rivaroxaban analogues for factor Xa, analogues of apixaban") == (
        ("apixaban", False),
    )
    order = ordered("GSK3B inhibitors, 5 rounds, 6 scientists, vote of 3, people count 2, with names")
    assert (order.rounds, order.scientists, order.voters, people_weight(order)) == (5, 6, 3, 2.0)
    assert order.names
    assert ordered("x, 99 rounds").rounds == 20


def test_a_channel_sets_what_a_ballot_counts_and_an_order_overrules_it() -> None:
    wishes = (Guidance("", "people count 4"), Guidance("", "people count 3"))
    assert people_weight(ordered("x")) == 1.0
    assert people_weight(replace(ordered("x"), guidance=wishes)) == 3.0
    assert people_weight(replace(ordered("x, people count 1"), guidance=wishes)) == 1.0


def test_only_what_is_about_molecules_is_a_design() -> None:
    assert read("Can you design JNK3 inhibitors for me?").certainty is Certainty.LIKELY
    assert read(f"design analogues of {ACETANILIDE}").certainty is Certainty.SURE
    assert read("Which study design was used for the inhibitors?") is None
    assert read("Design a phase 2 trial of the inhibitor") is None
    assert read("Suggest which compounds have a QT signal") is None
    assert read(f"suggest analogues of {ACETANILIDE}").certainty is Certainty.SURE
    with pytest.raises(WrongOrder, match="begin with `ask`"):
        read("of the phase 2 study of AB-1", asked_for=True)


def test_make_this_one_more_soluble_goes_on_from_a_molecule_of_the_thread() -> None:
    memory = Memory(Brief("aim", goals=(Goal(Measure.QED, 0.5),)), (("M4", "CCO"), ("M2", ACETANILIDE)))
    thread: ThreadContext[object, object] = ThreadContext(remembered=memory)
    assert read("make this one more soluble", thread).inputs.start == ("CCO",)
    order = read("make M2 more soluble", thread).inputs
    assert order.brief.seeds == (ACETANILIDE,)
    assert order.brief.keeps
    assert order.brief.goal(Measure.LOGS) is not None
    after: ThreadContext[object, object] = ThreadContext(
        remembered=replace(memory, brief=edited(Brief("aim"), "soluble"))
    )
    wished = read("make M2 more soluble", after).inputs.brief
    assert wished.seeds == (ACETANILIDE,), "also where the brief asked for it before"
    assert read("make M2 soluble", after).inputs.brief.seeds == (ACETANILIDE,)
    assert read("go on, logP 1 to 2", thread).inputs.brief.goal(Measure.LOGP).window == "1 to 2"
    assert read("make M9 more soluble", thread) is None
    assert read("make it shorter", thread) is None


def test_a_drawn_molecule_and_one_of_a_file_are_started_from_wherever_they_stand() -> None:
    drawn: ThreadContext[object, object] = ThreadContext(drawn=(ACETANILIDE,))
    assert read("make this one more soluble", drawn).inputs.start == (ACETANILIDE,)
    assert read("make this one shorter", drawn) is None
    block = "\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\nM  END\n"
    assert "more soluble C" in read(f"make this more soluble\n{block}", drawn).inputs.text
    with pytest.raises(WrongOrder, match="What is wished"):
        read(f"try {ACETANILIDE}")


def test_a_brief_follows_words_windows_and_weights() -> None:
    brief = drafted("x", "brain-penetrant, QED above 0.7", "", ("CCO",), ("CCC",))
    told = in_words(brief)
    for part in (
        "CNS MPO at least 4",
        "TPSA at most 90",
        "QED at least 0.7",
        "similarity at least 0.4 (weight 2)",
    ):
        assert part in told
    brief = edited(brief, "weight solubility 2, TPSA between 40 and 80; drop SA, logP < 3")
    assert brief.goal(Measure.LOGS) == Goal(Measure.LOGS, -4.0, None, 2.0)
    assert brief.goal(Measure.TPSA) == Goal(Measure.TPSA, 40.0, 80.0)
    assert brief.goal(Measure.LOGP) == Goal(Measure.LOGP, None, 3.0)
    assert brief.goal(Measure.SA) is None
    assert edited(brief, "I like the second one better") == brief


@pytest.mark.parametrize(
    ("words", "low", "high"),
    [
        ("MW at least 300 and at most 500", 300.0, 500.0),
        ("MW at most 500 g/mol, at least 300 g/mol", 300.0, 500.0),
        ("MW at least 300 and soluble, MW at most 500", 300.0, 500.0),
        ("MW > 300 but < 500", 300.0, 500.0),
        ("MW at most 500 and at least 2 donors", None, 500.0),
        ("MW at least 300 and at most 20 rounds", 300.0, None),
    ],
)
def test_both_ends_of_a_window_are_read_and_no_end_of_another_measure(
    words: str, low: float | None, high: float | None
) -> None:
    assert windows(words)[0] == Goal(Measure.MW, low, high)
    assert drafted("x", words, "", (), ()).goal(Measure.MW) == Goal(Measure.MW, low, high)


def test_a_window_that_holds_no_value_is_told_and_sets_no_goal() -> None:
    words = "MW at least 900 and at most 100"
    assert contradictions(words) == (Goal(Measure.MW, 900.0, 100.0),)
    assert drafted("x", words, "", (), ()).goal(Measure.MW) == Goal(Measure.MW, None, 500.0)


@given(st.sampled_from(sorted(MEASURES)), st.floats(-50, 600), st.floats(0, 5))
def test_desirability_is_one_at_the_best_value_alone_and_falls_away_from_it(
    measure: Measure, value: float, further: float
) -> None:
    goal = Goal(measure, 1.0, 3.0)
    assert goal_desirability(goal, 2.0) == 1.0
    assert goal_desirability(goal, value) < 1.0 or abs(value - 2) < 1e-9
    assert (goal_desirability(goal, value) == 0.0) is not (
        1.0 - MEASURES[measure].slack < value < 3.0 + MEASURES[measure].slack
    )
    away = value + further if value > 2 else value - further
    assert goal_desirability(goal, away) <= goal_desirability(goal, value)
    assert 0.0 <= desirability([goal], {measure: value}) <= 1.0


def test_a_goal_is_graded_inside_its_window_as_derringer_and_suich_do() -> None:
    qed = Goal(Measure.QED, 0.5)
    assert [round(goal_desirability(qed, one), 2) for one in (0.2, 0.5, 0.7, 0.9, 1.0)] == [
        0,
        0.43,
        0.71,
        1,
        1,
    ]
    assert (
        goal_desirability(Goal(Measure.LIKE, 0.4), 0.4)
        == goal_desirability(Goal(Measure.LIKE, 0.4), 0.9)
        == 1
    )
    told = edited(drafted("x", "", "", (), ()), "best logP 1, best TPSA 60")
    assert told.goal(Measure.LOGP) == Goal(Measure.LOGP, 0.0, 4.0, 1.0, 1.0)
    assert "logP 0 to 4, best 1" in in_words(told)
    assert told.goal(Measure.TPSA).best == 60.0  # type: ignore[union-attr]


def floor() -> Floor[Brief]:
    entries = tuple(Entry(f"M{n}", Proposal("A", "C" * n, "why"), 1) for n in (1, 2, 3))
    return Floor(drafted("x", "", "", (), ()), 1, entries, ("M3", "M1", "M2"))


NAMES_ALONE = Wording()


async def said(*texts: str, wording: Wording = NAMES_ALONE) -> people.Heard:
    heard = [Said("ana", "now", f"{n}", text) for n, text in enumerate(texts)]
    return await people.taken_in(wording, floor(), heard)


async def test_a_remark_for_harm_is_refused_and_logged_and_its_words_reach_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    judge = Wording(remembering)
    texts = ("raise the toxicity to healthy cells, logP 1 to 3", "veto 1")
    on = (await said(*texts, wording=judge)).floor
    assert "words were refused (toxicity)" in caplog.text
    assert on.task == floor().task
    assert [(one.text, one.answered_by) for one in on.remarks] == [("(refused)", "Pestle")]
    assert "only ever minimised" in on.remarks[0].answer
    assert on.vetoed == ("M1",)


async def test_vetoes_pins_and_votes_are_taken_in_in_their_order() -> None:
    heard = (await said("veto 3 and pin M2 please", "veto 1, 2", "unveto 1")).floor
    assert heard.vetoed == ("M3", "M2")
    assert heard.pinned == ()
    assert heard.standing == ("M1",)
    assert (await said("vote 1")).floor.liked == (("ana", ("M1",)),)
    assert people.ballots((await said("vote 1")).floor, 2.0)[0].weight == 2.0


async def test_a_veto_of_what_is_not_there_yet_is_answered_so() -> None:
    texts = ("veto 7", "veto 3 and 7", "veto 3")
    heard = (await said(*texts)).floor
    assert heard.vetoed == ("M3",)
    assert [(one.text, one.answer) for one in heard.remarks] == [("veto 7", people.NO_SUCH), ("veto 3", "")]


async def test_proposals_wishes_exclusions_and_remarks() -> None:
    texts = ("TPSA at most 70", "exclude Scientist B", "is M1 stable?")
    heard = await said(f"what about {ACETANILIDE}?", *texts)
    assert [one.what for one in heard.proposals] == [ACETANILIDE]
    assert heard.floor.task.goal(Measure.TPSA) == Goal(Measure.TPSA, None, 70.0)
    assert heard.excluded == ("Scientist B",)
    assert [one.text for one in heard.floor.remarks] == ["is M1 stable?"]
    assert (await said("enough")).floor.over == "ana said that it is enough"


async def test_words_beside_a_proposed_molecule_set_no_goal_for_all() -> None:
    heard = await said(f"TPSA at most 70 with this one: {ACETANILIDE}")
    assert [one.what for one in heard.proposals] == [ACETANILIDE]
    assert heard.floor.task == floor().task


async def test_what_is_to_be_avoided_joins_the_brief_in_mid_debate_and_an_unknown_name_is_answered() -> None:
    heard = (await said(f"not like {ACETANILIDE}", "not like Imatinib", "not like foobarine")).floor
    assert heard.task.unlike == (ACETANILIDE, medicines()["imatinib"].smiles)
    assert heard.task.goal(Measure.UNLIKE) == Goal(Measure.UNLIKE, None, 0.4)
    assert [one.text for one in heard.remarks] == ["not like foobarine"]


async def on_card(
    floor: Floor[Brief], emoji: str, on: str = "round-1", *, removed: bool = False
) -> Floor[Brief]:
    pressed = Said("ana", "now", "1", emoji=emoji, on=on, removed=removed)
    return (await people.taken_in(NAMES_ALONE, floor, [pressed])).floor


async def test_the_emoji_of_a_number_likes_the_molecule_in_that_row_and_can_be_taken_back() -> None:
    on = await on_card(floor(), "2")
    assert on.liked == (("ana", ("M1",)),)
    off = await on_card(on, "2", removed=True)
    assert off.liked == (("ana", ()),)
    assert await on_card(floor(), "1", on="brief") == floor()


AWAY = Goal(Measure.TPSA, 100.0, 140.0, 2.0)


@pytest.mark.parametrize(
    "words",
    [
        "not brain penetrant",
        "non-CNS",
        "without brain penetration",
        "stays out of the brain",
        "peripherally restricted",
        "low CNS exposure",
        "does not cross the blood-brain barrier",
        "brain-sparing",
    ],
)
def test_a_wish_that_is_negated_asks_for_the_opposite(words: str) -> None:
    told = drafted("x", f"design DPP4 inhibitors, {words}", "", (ACETANILIDE,), ())
    assert told.goal(Measure.TPSA) == AWAY
    assert told.goal(Measure.CNS_MPO) is None


def test_two_negations_are_none_and_a_wish_reaches_no_other_part_of_the_sentence() -> None:
    told = drafted("x", "without loss of brain penetration, not greasy and soluble", "", (), ())
    assert told.goal(Measure.CNS_MPO) is not None
    assert told.goal(Measure.LOGP) == Goal(Measure.LOGP, 0.0, 2.5, 2.0)
    assert told.goal(Measure.LOGS) == Goal(Measure.LOGS, -4.0, None, 2.0)


@pytest.mark.parametrize(
    ("words", "goal"),
    [
        ("lower MW", Goal(Measure.MW, None, 145.0, 2.0)),
        ("lower molecular weight", Goal(Measure.MW, None, 145.0, 2.0)),
        ("smaller", Goal(Measure.MW, None, 145.0, 2.0)),
        ("less hERG", Goal(Measure.LOGP, None, 1.8, 2.0)),
        ("less lipophilic", Goal(Measure.LOGP, None, 1.8, 2.0)),
        ("more soluble", Goal(Measure.LOGS, -2.2, None, 2.0)),
        ("MW below 300", Goal(Measure.MW, None, 300.0)),
        ("logP no more than 3", Goal(Measure.LOGP, None, 3.0)),
    ],
)
def test_a_wish_that_compares_is_set_against_the_start(words: str, goal: Goal) -> None:
    told = drafted("x", f"inhibitors like this, {words}", "", (ACETANILIDE,), ())
    assert told.goal(goal.measure) == goal
    assert drafted("x", "smaller", "", (), ()).goal(Measure.MW) == Goal(Measure.MW, None, 350.0, 2.0)


def test_what_sets_no_goal_is_told_as_unread() -> None:
    words = "design selective DPP4 inhibitors like sitagliptin, less hERG, keep the tail, logP 1 to 3"
    assert unread(words, ("dpp4", "sitagliptin")) == ("selective", "tail")
    assert unread("not brain penetrant and lower MW with better solubility") == ()
    assert unread("make M2 more soluble") == ()
    assert unread("less soluble") == ("less soluble",)


def test_german_wishes_are_read() -> None:
    words = "entwirf JNK3-Inhibitoren wie …, gut löslich, mit weniger hERG"
    assert target_of(words) == "JNK3"
    assert unread(words, ("jnk3",)) == ()
    told = drafted("x", words, "JNK3", (ACETANILIDE,), ())
    assert told.goal(Measure.LOGS) == Goal(Measure.LOGS, -4.0, None, 2.0)
    assert told.goal(Measure.LOGP) == Goal(Measure.LOGP, None, 1.8, 2.0)
    assert told == drafted("x", "soluble, less hERG", "JNK3", (ACETANILIDE,), ())
    less = drafted("x", "weniger lipophil, kleiner", "", (ACETANILIDE,), ())
    assert less == drafted("x", "less lipophilic, smaller", "", (ACETANILIDE,), ())


def test_alerts_that_the_start_brings_may_stay() -> None:
    told = drafted("x", "", "", ("C#Cc1ccccc1",), ())
    assert told.goal(Measure.ALERTS) == Goal(Measure.ALERTS, None, 1.0)


def test_a_part_that_is_kept_can_be_let_go() -> None:
    brief = Brief("x", kept=(("c1ccccc1", "`c1ccccc1`"),))
    assert not edited(brief, "free the part, more soluble").kept
    assert edited(brief, "more soluble").kept == brief.kept


def test_a_brief_in_german_is_read_as_in_english() -> None:
    brief = (
        f"Entwirf JNK3-Hemmer ausgehend von {ACETANILIDE}, logP 0 bis 2,5, MW höchstens 450, "
        f"nicht ins Gehirn, nicht wie {OTHER}"
    )
    assert list(structures(brief)) == [(ACETANILIDE, False), (OTHER, True)]
    words = without_structures(brief)
    assert [(one.measure, one.window) for one in windows(words)] == [
        (Measure.LOGP, "0 to 2.5"),
        (Measure.MW, "at most 450"),
    ]
    assert edited(Brief(""), words).goal(Measure.TPSA).low == 100, "out of the brain"
    assert unread(words, ["jnk3"]) == ()
    named = named_molecules("Hemmer ausgehend von Rivaroxaban, so löslich wie möglich, nicht wie Apixaban")
    assert named == (("Rivaroxaban", False), ("Apixaban", True))
    assert windows("MW at most 1,000 g/mol, logP 1 to 3, 2 rounds")[1].window == "1 to 3"


@pytest.mark.parametrize(
    ("words", "goal"),
    [
        ("at most 1 donor", Goal(Measure.HBD, None, 1.0)),
        ("no more than one H-bond donor", Goal(Measure.HBD, None, 1.0)),
        ("logP not above 2.5", Goal(Measure.LOGP, None, 2.5)),
        ("not more lipophilic than logP 2.5", Goal(Measure.LOGP, None, 2.5)),
    ],
)
def test_a_number_wins_over_the_wish_around_it(words: str, goal: Goal) -> None:
    assert windows(words) == (goal,)
    assert asked(drafted("x", words, "", (ACETANILIDE,), ())) == (goal,)
    assert unread(words) == ()


def test_less_basic_is_a_wish() -> None:
    haloperidol = medicines()["haloperidol"]
    for words in ("less basic", "weniger basisch", "lower pKa"):
        assert edited(Brief("", seeds=(haloperidol.smiles,)), words).goal(Measure.PKA).high == 8.5
        assert unread(words) == ()
    told = {change.name for change, product in changed(haloperidol) if base_pka(product) <= 7.5}
    assert told >= {"two fluorines near a basic nitrogen", "basic amine to amide"}


RIVAROXABAN = "O=C(NC[C@H]1CN(c2ccc(N3CCOCC3=O)cc2)C(=O)O1)c1ccc(Cl)s1"


def test_a_named_part_to_keep_or_to_go_is_held_to() -> None:
    brief = edited(Brief("aim", seeds=(RIVAROXABAN,)), "keep the chlorothiophene, replace the morpholinone")
    start = read_molecule(RIVAROXABAN)
    assert [told for _, told in without(start, brief.kept)] == ["`replace the morpholinone`, as asked"]
    better, worse = RIVAROXABAN.replace("N3CCOCC3=O", "N3CCCC3"), RIVAROXABAN.replace("Cl", "C#N")
    assert without(read_molecule(better), brief.kept) == ()
    assert len(without(read_molecule(worse), brief.kept)) == 2
    assert edited(brief, "free the part").kept == ()


@pytest.mark.parametrize(
    "words", ["do not keep the thiophene", "replace the flumboyl", "ersetze das Furan nicht"]
)
def test_a_named_part_that_is_not_read_is_told(words: str) -> None:
    assert edited(Brief("aim"), words).kept == ()
    assert unread(words)
    assert unread("keep the thiophene, remove the CF3") == ()


@pytest.mark.parametrize(
    ("words", "stay", "go"),
    [
        ("keep the thiazole and the sulfonamide", "thiazole sulfonamide", ""),
        ("without the nitro group or the aniline", "", "nitro aniline"),
        (
            "keep the central pyrimidine, the amide and both indoles; no furan",
            "pyrimidine amide indole",
            "furan",
        ),
        ("do not replace the amide, lose the ester", "amide", "ester"),
        ("without losing the sulfonamide, more soluble", "sulfonamide", ""),
        ("the phenol must go, the phenyl has to stay", "phenyl", "phenol"),
        (
            "behalte das Thiazol und die Sulfonamidgruppe bei, ersetze den Morpholinring",
            "thiazole sulfonamide",
            "morpholine",
        ),
        (
            "das Sulfonamid soll bleiben, die Nitrogruppe und das Anilin ersetzen",
            "sulfonamide",
            "nitro aniline",
        ),
        ("den Morpholinring nicht ersetzen", "morpholine", ""),
    ],
)
def test_all_parts_that_are_listed_stay_or_go(words: str, stay: str, go: str) -> None:
    told = [f"`keep the {one}`, as asked" for one in stay.split()]
    told += [f"`replace the {one}`, as asked" for one in go.split()]
    assert {one for _, one in edited(Brief("aim"), words).kept} == {*told}
    assert unread(words) == ()


def test_parts_that_stay_or_go_are_told_among_the_goals() -> None:
    brief = edited(Brief("aim"), "keep the amide, replace the thiazole")
    told = [row[1].text for row in goals_table(brief).rows]
    assert told[-2:] == ["`keep the amide`, as asked", "`replace the thiazole`, as asked"]


def test_what_is_said_of_a_part_later_holds() -> None:
    brief = edited(edited(Brief("aim"), "keep the thiazole and the amide"), "replace the thiazole")
    assert [one for _, one in brief.kept] == [
        "`replace the thiazole`, as asked",
        "`keep the amide`, as asked",
    ]


def test_every_named_part_can_be_looked_for() -> None:
    assert all(pattern(one) for one in PARTS.values())
