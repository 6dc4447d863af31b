"""From a question to a cited answer, over a small archive in memory."""

from pathlib import Path

import pytest

from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.archive.pipeline import answer_question, stopped
from agents.archive.tools import ArchiveTools
from agents.archive.work import as_shown, report
from agents.foreign import NOT_ENGLISH
from agents.reports.gate import STRUCK
from agents.reports.values import Points, Prose, Table
from agents.runs.memory import trial_run
from retrieval.errors import ArchiveNotFound
from tests.agents.archive.world import DOCUMENTS, archive, ask


@pytest.fixture
async def tools(tmp_path: Path) -> ArchiveTools:
    return await archive(tmp_path / "docs", DOCUMENTS)


async def verbatim(answer: Answer, tools: ArchiveTools) -> bool:
    """Whether every citation is a slice of its document."""
    for citation in answer.citations:
        document = await tools.index.document(citation.doc_id)
        if document is None or document.text[citation.start : citation.end] != citation.quote:
            return False
    return True


@pytest.mark.parametrize(
    ("question", "short", "document"),
    [
        ("Who was the study director of the first study in volunteers?", "Ann Example", "ZK-CL-01"),
        ("What was the mean weight of the 50 mg/kg group at week 13?", "371", "ZK-TX-01"),
        ("How many animals were in the 50 mg/kg group at week 13?", "18", "ZK-TX-01"),
    ],
)
async def test_any_fact_is_told_by_the_passage_that_states_it(
    tools: ArchiveTools, question: str, short: str, document: str
) -> None:
    answer = await ask(tools, question)

    assert answer.outcome is AnswerOutcome.ANSWERED
    assert short in answer.short
    assert [citation.doc_id for citation in answer.citations] == [document]
    assert await verbatim(answer, tools)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Which capsules of ZK-701 were used?", "K-114"),
        ("When did the study in healthy volunteers start?", "4 March 1998"),
    ],
)
async def test_a_fact_that_is_told_in_other_words_is_shown_and_not_stated(
    tools: ArchiveTools, question: str, short: str
) -> None:
    answer = await ask(tools, question)

    assert answer.outcome is AnswerOutcome.CLOSEST
    assert short in answer.text
    assert len(answer.citations) <= 3
    assert await verbatim(answer, tools)


async def test_a_table_cell_comes_with_row_column_and_caption(tools: ArchiveTools) -> None:
    answer = await ask(tools, "What was the mean weight of the 15 mg/kg group at week 13?")

    assert "405 g — Group 15 mg/kg, Mean weight (g), " in answer.text
    assert "Body weight at week 13" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Who was the pathologist of the rat study?",
        "What was the haemoglobin value of the control rats?",
    ],
)
async def test_what_no_document_states_is_not_answered_with_what_comes_close(
    tools: ArchiveTools, question: str
) -> None:
    answer = await ask(tools, question)

    assert answer.outcome is AnswerOutcome.CLOSEST
    assert answer.short.startswith("No document that was searched writes “")
    assert answer.short.endswith("”. These passages come closest; nothing is concluded from them.")
    assert 1 <= len(answer.citations) <= 3


async def test_of_what_no_document_speaks_the_answer_says_so_and_folds_the_passages(
    tools: ArchiveTools,
) -> None:
    answer = await ask(tools, "Was the QT interval longer in the rats?")

    assert answer.outcome is AnswerOutcome.NOTHING
    assert answer.short.startswith(f"Nothing in {len(DOCUMENTS)} documents speaks of QT.")
    assert all(block.folded for block in answer.blocks if isinstance(block, Points))
    assert as_shown(answer).short == answer.short


async def test_a_typed_question_whose_readers_find_nothing_shows_what_comes_close(
    tools: ArchiveTools,
) -> None:
    answer = await ask(tools, "What is the margin of safety of ZK-701 for the liver necrosis in rats?")

    assert answer.outcome is AnswerOutcome.CLOSEST
    assert any("Liver necrosis" in citation.quote for citation in answer.citations)


async def test_the_same_question_gives_the_identical_answer(tools: ArchiveTools) -> None:
    text = "What was the mean weight of the 50 mg/kg group at week 13?"

    assert await ask(tools, text) == await ask(tools, text)


async def test_an_unknown_molecule_is_named_with_those_most_like_it(tools: ArchiveTools) -> None:
    answer = await ask(tools, "What was the route of administration of QQ-70177 in humans?")

    assert not answer.present
    assert "QQ-70177" in answer.short
    assert set(answer.options) == {"ZK-701", "ZK-702"}


async def test_a_question_about_an_unknown_molecule_is_searched_without_it(tools: ArchiveTools) -> None:
    answer = as_shown(await ask(tools, "Which lot of capsules of QQ-70177 was used?"))

    assert answer.outcome is AnswerOutcome.CLOSEST
    assert "no document about" in answer.short
    assert any("K-114" in cited.quote for cited in answer.citations[:3])


async def test_an_unclear_name_shows_what_comes_close_and_asks_which_is_meant(tmp_path: Path) -> None:
    twins = {
        f"ZK-PH-{n}": f"# PBDE-{n}: pharmacology\n\nPBDE-{n} lowered thyroxine in {animal}.\n"
        for n, animal in ((47, "rats"), (209, "mink"))
    }
    answer = as_shown(await ask(await archive(tmp_path / "docs", twins), "PBDE and thyroxine?"))

    assert answer.outcome is AnswerOutcome.CLOSEST
    assert answer.short.count("PBDE-") == 2
    assert set(answer.options) == {"PBDE-47", "PBDE-209"}
    assert any("lowered thyroxine" in cited.quote for cited in answer.citations)


async def test_values_with_their_deviation_are_shown(tmp_path: Path) -> None:
    text = (
        "# Tigecycline: label\n\nPharmacokinetics. There was no difference in the mean (±SD) tigecycline "
        "clearance between women (20.7±6.5 L/h) and men (22.8±8.7 L/h).\n"
    )
    tools = await archive(tmp_path / "docs", {"tigecycline": text})
    answer = as_shown(await ask(tools, "tigecycline clearance in women and in men?"))

    assert answer.outcome is not AnswerOutcome.NOTHING
    assert "20.7±6.5 L/h" in answer.text


async def test_an_empty_archive_says_what_to_do(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "docs", {})

    with pytest.raises(ArchiveNotFound, match="pestle ingest"):
        await ask(tools, "What was the route of ZK-701?")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        ("   \n", "empty"),
        ("dose " * 20_000, "characters"),
        ("\x00\x01\x02 what", "binary"),
        ("??? 123", "no words"),
    ],
    ids=["empty", "blank", "100 kB", "binary", "no words"],
)
async def test_a_question_that_cannot_be_read_is_asked_back(
    tools: ArchiveTools, text: str, word: str
) -> None:
    answer = await ask(tools, text)

    assert word in answer.ask_back
    assert not answer.present
    assert len(answer.question) <= 4000


async def test_a_stopped_run_gives_what_was_kept() -> None:
    kept = Answer("q", "5 mg", (), AnswerOutcome.ANSWERED)

    assert stopped(kept, "stopped by Ann").partial == "stopped by Ann"


async def test_steps_are_named_as_in_the_method(tools: ArchiveTools) -> None:
    run = await trial_run()
    await answer_question(run, Question("Which lot of capsules was used?"), tools)

    names = [step.name for step in await run._ledger.steps(run.id)]
    assert names == [
        "read",
        "resolve",
        "classify",
        "search/general",
        "review/general",
        "research/general",
        "supervise",
        "taxonomy",
    ]


@pytest.mark.parametrize(
    ("question", "short", "document"),
    [
        ("What was the first-in-human dose of ZK-701?", "2 mg", "ZK-CL-01"),
        ("By which route was ZK-701 given to humans?", "ral", "ZK-CL-01"),
        ("What was the highest dose of ZK-701 in repeated-dose Phase I studies?", "40 mg", "ZK-CL-02"),
        ("At which highest dose of ZK-701 did serious adverse events occur?", "40 mg", "ZK-CL-02"),
        ("Why was ZK-701 discontinued?", "liver toxicity", "ZK-MIN-01"),
        ("What was the route of administration of ZK-702 in humans?", "nhal", "ZK-CL-09"),
    ],
)
async def test_a_typed_question_is_answered_for_its_molecule(
    tools: ArchiveTools, question: str, short: str, document: str
) -> None:
    answer = await ask(tools, question)

    assert short in answer.short
    assert document in {citation.doc_id for citation in answer.citations}
    assert await verbatim(answer, tools)


async def test_text_in_a_document_is_never_obeyed(tools: ArchiveTools) -> None:
    for question in ("What was the first-in-human dose of ZK-701?", "Why was ZK-701 discontinued?"):
        answer = await ask(tools, question)
        assert "999" not in answer.short
        assert "999" not in answer.text


async def test_what_is_not_stated_is_said_once_with_what_was_searched(tools: ArchiveTools) -> None:
    answer = await ask(tools, "What margin of safety does the archive state for ZK-702?")

    assert not answer.present
    assert answer.not_found == ()
    [searched] = report(answer).searched
    assert searched.startswith("Searched: ")
    assert searched.endswith("documents.") or searched.endswith("document.")


async def test_the_first_line_answers_and_nothing_is_told_twice(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Why was ZK-701 discontinued?")

    first = answer.blocks[0]
    assert isinstance(first, Prose)
    assert first.strong
    assert first.statements[0].citations
    listed = [block for block in answer.blocks[1:] if isinstance(block, Points)]
    told = {statement.text for block in listed for statement in block.statements}
    assert not told & {citation.quote for citation in answer.citations}


async def test_a_comparison_begins_with_its_table_and_does_not_repeat_it(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Compare the route of administration in humans of ZK-701 and ZK-702.")

    assert [type(block) for block in answer.blocks] == [Table]


async def test_several_molecules_give_a_table(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Compare the route of administration in humans of ZK-701 and ZK-702.")

    table = answer.tables[0]
    assert table.columns[0] == "Molecule"
    assert [row[0].text for row in table.rows] == ["ZK-701", "ZK-702"]
    assert all(row[1].citations for row in table.rows)


async def test_several_types_keep_their_provenance(tools: ArchiveTools) -> None:
    answer = await ask(tools, "What was the route of ZK-701 in humans and why was it discontinued?")

    assert set(answer.question_types) == {"route", "discontinuation_reason"}
    assert all(part in answer.short for part in ("Route of ", "Reason for "))


async def test_a_follow_up_knows_its_molecule(tools: ArchiveTools) -> None:
    answer = await ask(tools, "And why was it discontinued?", thread_molecules=("ZK-701",))

    assert answer.molecules == ("ZK-701",)
    assert answer.present
    assert any("ZK-701" in note for note in answer.notes)


async def test_an_elliptical_follow_up_repeats_the_question_for_another_molecule(tools: ArchiveTools) -> None:
    answer = await ask(
        tools,
        "And for ZK-702?",
        thread_molecules=("ZK-701",),
        previous=("By which route was ZK-701 given to humans?",),
    )

    assert answer.question_types == ("route",)
    assert answer.molecules == ("ZK-702",)


async def test_a_follow_up_is_told_as_the_whole_question_it_became(tools: ArchiveTools) -> None:
    answer = await ask(
        tools,
        "and for ZK-702?",
        thread_molecules=("ZK-701",),
        previous=("By which route was ZK-701 given to humans?",),
    )

    assert answer.question == "and for ZK-702?"
    assert answer.understood == "By which route was ZK-702 given to humans?"
    assert "Understood as: By which route was ZK-702 given to humans?" in answer.notes


async def test_an_answer_knows_the_molecule_that_its_question_left_out(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Which lot of capsules was used?")

    assert (answer.molecules, answer.subjects) == ((), ("ZK-701",))


async def test_something_definite_is_that_of_the_molecule_spoken_of(tools: ArchiveTools) -> None:
    answer = await ask(tools, "How many volunteers were treated?", thread_molecules=("ZK-701",))
    assert answer.molecules == ("ZK-701",)


async def test_a_study_that_is_named_is_not_taken_for_the_molecule_spoken_of(tools: ArchiveTools) -> None:
    answer = await ask(
        tools, "What was the highest dose given in study ZK-CL-01?", thread_molecules=("ZK-702",)
    )

    assert answer.molecules == ()
    assert {citation.doc_id for citation in answer.citations} <= {"ZK-CL-01"}


async def test_a_question_in_another_language_is_told_that_only_english_is_read(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Wie schwer waren die Ratten und wie alt ist das Tier von ZK-701?")

    assert answer.text.startswith(NOT_ENGLISH)
    assert "Bitte fragen Sie auf Englisch" in answer.text
    assert as_shown(answer).text.startswith(answer.text[:200])
    assert not any(note.startswith(STRUCK) for note in as_shown(answer).notes)


async def test_a_misspelt_word_is_read_as_the_archive_writes_it(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Which lot of capsuels was used?")

    assert "K-114" in answer.text
    assert '"capsuels" was read as "capsules".' in answer.notes


async def test_a_misspelt_part_of_a_word_is_mended(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Which molecule is the bakc-up of ZK-701?")

    assert '"bakc-up" was read as "back-up".' in answer.notes


async def test_a_misspelt_name_is_resolved_with_a_note(tools: ArchiveTools) -> None:
    answer = await ask(tools, "By which route was zk 701 given to humans?")

    assert answer.molecules == ("ZK-701",)


async def test_a_question_without_a_molecule_is_asked_back(tools: ArchiveTools) -> None:
    answer = await ask(tools, "What was the margin of safety?")

    assert "Which molecule" in answer.ask_back
    assert set(answer.options) == {"ZK-701", "ZK-702"}


async def test_a_passage_of_an_older_version_says_so(tmp_path: Path) -> None:
    text = DOCUMENTS["ZK-CL-01"]
    versions = {"ZK-CL-01 v1": text, "ZK-CL-01 v2": text.replace("K-114", "K-115")}
    tools = await archive(tmp_path / "docs", versions)

    answer = await ask(tools, "Which lot of capsules was used?")

    places = {citation.doc_id: citation.place for citation in answer.citations}
    assert places["ZK-CL-01 v1"].endswith("older version of ZK-CL-01 v2")
    assert "older" not in places.get("ZK-CL-01 v2", "")


async def test_key_words_are_searched_for_though_they_make_no_sentence(tools: ArchiveTools) -> None:
    answer = await ask(tools, "necrosis rats liver daily gavage")

    assert not answer.ask_back
    assert any("Liver necrosis" in citation.quote for citation in answer.citations)


async def test_a_question_about_a_known_molecule_shows_what_is_said_of_it(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Why did they axe ZK-702?")

    assert answer.outcome is not AnswerOutcome.NOTHING


async def test_another_species_does_not_answer_for_the_one_that_is_asked_for(tmp_path: Path) -> None:
    plan = "# Register\n\nZK-701: a study of 4 weeks in dogs is listed, 30 mg/kg/day."
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, "ZK-REG": plan})
    rats = await ask(tools, "In which organs of rats was toxicity of ZK-701 seen?")
    assert (rats.outcome, "liver" in rats.short) == (AnswerOutcome.ANSWERED, True)
    dogs = await ask(tools, "Target organs in the dog study of ZK-701?")
    assert (dogs.outcome, "liver" in dogs.short) == (AnswerOutcome.CLOSEST, False)


async def test_a_type_does_not_answer_for_what_the_question_names_besides(tools: ArchiveTools) -> None:
    of_type = await ask(tools, "What was the highest dose of ZK-701 in Phase I?")
    assert (of_type.outcome, "40 mg" in of_type.short) == (AnswerOutcome.ANSWERED, True)
    besides = await ask(tools, "How high did the bilirubin of women get at the highest dose of ZK-701?")
    assert besides.outcome is not AnswerOutcome.ANSWERED
    assert "40 mg" not in besides.short


@pytest.mark.parametrize(
    "question",
    [
        "How many animals had hypertrophy and oedema at the highest dose of ZK-701?",
        "Compare the hERG potency of all our molecules.",
        "Sum up what the agency wrote in its letter about ZK-701.",
    ],
)
async def test_no_record_answers_for_what_it_does_not_know(tools: ArchiveTools, question: str) -> None:
    answer = await ask(tools, question)
    assert answer.outcome is not AnswerOutcome.ANSWERED
