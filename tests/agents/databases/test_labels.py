"""Drug labels by ingredient and section."""

from agents.databases.labels import LabelPassage, MemoryLabels

WARNING = LabelPassage("a/1", "WARFARIN SODIUM", "boxed_warning", "WARFARIN CAN CAUSE FATAL BLEEDING.")
REACTION = LabelPassage("a/2", "WARFARIN SODIUM", "adverse_reactions", "Skin necrosis and bleeding occur.")
OTHER = LabelPassage(
    "b/1", "LISINOPRIL", "warnings", "Angioedema has been reported.", ingredients=("LISINOPRIL",)
)
LABELS = MemoryLabels((WARNING, REACTION, OTHER))


async def test_passages_of_a_drug_come_by_any_of_its_names_and_by_section() -> None:
    assert await LABELS.passages(("warfarin", "Warfarin sodium")) == (WARNING, REACTION)
    assert await LABELS.search(("warfarin sodium",), "bleeding", 9, ("boxed_warning",)) == (WARNING,)
    assert await LABELS.passages(("aspirin",)) == ()


async def test_search_gives_the_passages_that_share_words_best_first() -> None:
    assert await LABELS.search(("warfarin sodium",), "skin necrosis bleeding") == (REACTION, WARNING)
    assert await LABELS.search(("warfarin sodium",), "angioedema") == ()
