"""Where sentences end, in prose of studies, databases and labels."""

import pytest

from retrieval.text.sentences import split_sentences

WHOLE = [
    "It was given at 2.5 mg b.i.d. to 12 rats, approx. 3 kg each, e.g. in Fig. 3 and No. 5.",
    "Dr. J. K. Smith et al. (1990) gave 5 mg i.v. PX-1 and 10 mg p.o. AB-12 vs. placebo.",
    "I. To evaluate the response.",
    "The U.S. Food and Drug Administration approved it in Jan. 2004.",
    "It was signed on 14. VIII. 2023 by all.",
    "| Dose | 5 mg. | 10 mg |",
    "**Efficacy.** The drug did not differ from placebo.",
    "__Renal effects__. No kidney was heavier.",
    "It binds G proteins (PubMed:12345678, see ref. 3).",
]
PARTED = [
    ("The dose was 5 mg b.i.d. The next was 10 mg.", "The dose was 5 mg b.i.d."),
    ("Was it toxic? No. The rats were well.", "Was it toxic?"),
    ("They were in group A. The others were not.", "They were in group A."),
    ("Cmax was 5 ng/ml. 12 dogs died.", "Cmax was 5 ng/ml."),
    ("It was safe.[3] Later studies agreed.", "It was safe."),
    ("He said “stop.” They stopped.", "He said “stop.”"),
    ("剂量为5毫克。没有副作用。", "剂量为5毫克。"),
    ("Dose: 5 mg\nAnimals: 6", "Dose: 5 mg"),
    ("Functions as a receptor. (Microbial infection) Binds the virus.", "Functions as a receptor."),
    ("**Efficacy.** It failed. **Safety.** It was safe.", "**Efficacy.** It failed."),
    ("WARNING: DEATH. 5% of patients died.", "WARNING: DEATH."),
]


@pytest.mark.parametrize("text", WHOLE)
def test_abbreviations_and_cells_do_not_end_a_sentence(text: str) -> None:
    assert split_sentences(text) == [text]


@pytest.mark.parametrize(("text", "first"), PARTED)
def test_sentences_end(text: str, first: str) -> None:
    assert split_sentences(text)[0].startswith(first)
    assert len(split_sentences(text)) > 1
