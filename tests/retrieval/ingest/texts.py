"""Documents for the tests of reading, and texts of random Markdown."""

from hypothesis import strategies as st

from retrieval.values import Document, DocumentRecord, Page

WORDS = st.sampled_from(
    [
        "The",
        "dose",
        "was",
        "2.5",
        "mg",
        "b.i.d.",
        "in",
        "rats.",
        "AB-1234",
        "e.g.",
        "(see",
        "Fig.",
        "3)",
        "i.v.",
        "No.",
        "5",
        "of",
        "Dr.",
        "Smith;",
        "p",
        "<",
        "0.01?",
        "Yes!",
        "[2]",
        "µg·h/mL",
        "“quoted.”",
        "NCT01234567",
        "-",
        "|",
        "a\\|b",
        "*",
        "_x_",
        "`c`",
        "12.",
        "é",
        "剂量。",
        "Appendix",
        "A.",
        "II.",
        "To",
    ]
)
LINE = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)
ROW = st.lists(st.sampled_from(["AB-1", "10 mg", "", "a \\| b", "-"]), min_size=1, max_size=4)
TABLE = st.lists(ROW, min_size=2, max_size=5).map(
    lambda rows: "\n".join(["| " + " | ".join(rows[0]) + " |", "|" + "---|" * len(rows[0])]
                           + ["| " + " | ".join(row) + " |" for row in rows[1:]])
)  # fmt: skip
BLOCK = st.one_of(
    LINE,
    st.lists(LINE, min_size=2, max_size=4).map("\n".join),
    st.tuples(st.integers(1, 4), LINE).map(lambda h: f"{'#' * h[0]} {h[1]}"),
    st.lists(LINE.map(lambda line: f"- {line}"), min_size=1, max_size=3).map("\n".join),
    TABLE,
    st.just("---"),
)
MARKDOWN = st.lists(BLOCK, min_size=0, max_size=8).map("\n\n".join)


def document(text: str, doc_id: str = "D-1", title: str = "", pages: tuple[Page, ...] = ()) -> Document:
    return Document(DocumentRecord(doc_id, f"{doc_id}.md", "", "md", title), text, pages)
