"""What somebody is told whose question is not in English, where no language model reads it."""

from retrieval.language import is_foreign, language_of_question

NOT_ENGLISH = (
    "The question does not look English. Without a language model few of its words are understood, so names "
    "and numbers count most; asked in English it may find more."
)
ASK_IN_ENGLISH = {
    "de": "Bitte fragen Sie auf Englisch: Ohne Sprachmodell wird nur Englisch verstanden.",
    "fr": "Veuillez poser la question en anglais : sans modèle de langue, seul l'anglais est compris.",
    "es": "Pregunte en inglés, por favor: sin un modelo de lenguaje solo se entiende el inglés.",
    "it": "Per favore, chieda in inglese: senza un modello linguistico si capisce solo l'inglese.",
    "pt": "Pergunte em inglês, por favor: sem um modelo de linguagem só se entende o inglês.",
    "nl": "Stel de vraag in het Engels: zonder taalmodel wordt alleen Engels begrepen.",
}
"""The same in the asker's language, by ISO 639-1 code."""


def foreign_remark(question: str) -> str:
    """The remark, with a sentence in the asker's language where that is known; "" for an English question."""
    if not is_foreign(question):
        return ""
    return f"{NOT_ENGLISH} {ASK_IN_ENGLISH.get(language_of_question(question), '')}".rstrip()
