import pytest

from retrieval.language import is_foreign, language, language_of_question

SENTENCES = {
    "en": "The dose was given to the rats in the morning, and the plasma was taken from all of them at noon.",
    "de": "Die Dosis wurde den Ratten am Morgen gegeben, und das Plasma wurde bei allen am Mittag genommen.",
    "ru": "Доза вводилась крысам утром, а плазма бралась у всех в полдень, после чего животные отдыхали.",
}


@pytest.mark.parametrize("code", SENTENCES)
def test_a_document_has_the_language_of_its_words(code: str) -> None:
    assert language(SENTENCES[code]) == code


@pytest.mark.parametrize("text", ["", "12 mg", "AB-12 | 3.5 | 7"])
def test_numbers_and_labels_have_none(text: str) -> None:
    assert language(text) == ""


@pytest.mark.parametrize(
    "question",
    [
        "Was ist die höchste Dosis für die Ratte?",
        "Welches Labor war beteiligt?",
        "Was war die höchste Dosis von AF-2107?",
        "Wer leitete die Studie, und wann?",
        "Quanti pazienti hanno ricevuto 100 mg?",
        "Quelles doses sont actives?",
        "Pourquoi XY-12 a-t-il échoué?",
        "¿Cuál es la dosis máxima?",
        "Ποια είναι η δόση;",
        "用量?",
        "Welche Dosis bekamen Ratten täglich?",
        "Какова доза",
    ],
)
def test_a_question_in_another_language_is_foreign(question: str) -> None:
    assert is_foreign(question)


@pytest.mark.parametrize(
    "question",
    ["What was the dose?", "Was the naïve group dosed, and how?", "NOAEL in rats", "Cmax 5 µg/mL", "", "α β"],
)
def test_an_english_question_is_not(question: str) -> None:
    assert not is_foreign(question)


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Was ist die Halbwertszeit von QX-12 beim Menschen?", "de"),
        ("Pourquoi le développement de QX-12 a-t-il été arrêté ?", "fr"),
        ("¿Qué dosis recibieron los perros?", "es"),
        ("Quale dose hanno ricevuto i cani?", "it"),
        ("Qual é a meia-vida de QX-12 em humanos?", "pt"),
        ("Wat is de halfwaardetijd van QX-12 bij mensen?", "nl"),
        ("Какова была доза?", ""),
        ("用量?", ""),
    ],
)
def test_the_language_of_a_question_that_is_not_english_is_told(question: str, code: str) -> None:
    assert is_foreign(question)
    assert language_of_question(question) == code
