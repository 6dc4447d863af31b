from retrieval.text.stems import stem


def test_forms_of_a_word_have_one_stem() -> None:
    assert {stem(word) for word in ("doses", "dosed", "dosing", "dose")} == {"dose"}
    assert stem("toxicities") == stem("toxicity")


def test_words_that_are_not_english_stay() -> None:
    assert [stem(word) for word in ("px1001", "5mg", "µg", "")] == ["px1001", "5mg", "µg", ""]
