"""Writes the demo archive from its sources: `python -m tests.support.demo_archive`.

The sources are Markdown, one file a document, whose front matter names the format to be written. The archive
is kept in the
repository, so that a demo needs no rendering. The documents, molecules, companies and persons are invented.
"""

import csv
import io
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
import pypdfium2
import yaml
from markdown_it import MarkdownIt
from PIL import Image, ImageFilter
from pptx.util import Inches
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer
from reportlab.platypus import Table as PdfTable

FOLDER = Path(__file__).parents[2] / "adapters" / "demo"
Block = tuple[str, Any]


def blocks(text: str) -> Iterator[Block]:
    """("h1".."h3", text), ("table", rows), ("items", list) or ("p", text), in order."""
    for part in text.strip().split("\n\n"):
        lines = part.splitlines()
        if lines[0].startswith("#"):
            yield f"h{lines[0].count('#', 0, 4)}", lines[0].lstrip("# ")
        elif lines[0].startswith("|"):
            yield (
                "table",
                [[cell.strip() for cell in line.strip("|").split("|")] for line in (lines[0], *lines[2:])],
            )
        elif lines[0].startswith(("- ", "1. ")):
            yield "items", [line.split(" ", 1)[1] for line in lines]
        else:
            yield "p", part


def write_pdf(text: str, meta: dict[str, str], path: Path) -> None:
    """A PDF with a text layer, a running header and page numbers."""
    style = getSampleStyleSheet()
    story: list[Flowable] = []
    for kind, value in blocks(text):
        if kind == "table":
            rows = [[Paragraph(str(cell), style["BodyText"]) for cell in row] for row in value]
            story.append(PdfTable(rows, style=[("GRID", (0, 0), (-1, -1), 0.5, colors.grey)], hAlign="LEFT"))
            story.append(Spacer(1, 8))
        elif kind == "items":
            story += [Paragraph(f"{n}. {item}", style["BodyText"]) for n, item in enumerate(value, 1)]
        else:
            story.append(
                Paragraph(
                    str(value), style["BodyText" if kind == "p" else {"h1": "Title"}.get(kind, "Heading2")]
                )
            )

    def header(canvas: Any, _: object) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(60, 820, f"{path.stem}   Confidential")
        canvas.drawString(290, 30, f"Page {canvas.getPageNumber()}")

    template = SimpleDocTemplate(
        str(path), pagesize=A4, title=meta["title"], author="Alder & Finch", invariant=1
    )
    template.build(story, onFirstPage=header, onLaterPages=header)


def write_scan(text: str, meta: dict[str, str], path: Path) -> None:
    """A PDF of page images as an office scanner makes them: no text layer, slightly turned, with specks."""
    write_pdf(text, meta, path)
    noise = random.Random(path.stem)
    pages = []
    for page in pypdfium2.PdfDocument(path):
        image = (
            page.render(scale=150 / 72)
            .to_pil()
            .convert("L")
            .rotate(0.4, fillcolor=255, resample=Image.Resampling.BICUBIC)
        )
        for _ in range(400):
            image.putpixel(
                (noise.randrange(image.width), noise.randrange(image.height)), noise.randrange(120)
            )
        pages.append(image.filter(ImageFilter.GaussianBlur(0.4)))
    pages[0].save(
        path, "PDF", save_all=True, append_images=pages[1:], resolution=150, quality=60, title=meta["title"]
    )


def write_docx(text: str, meta: dict[str, str], path: Path) -> None:
    """A Word document with headings, lists and tables."""
    document = docx.Document()
    document.core_properties.title = meta["title"]
    for kind, value in blocks(text):
        if kind == "table":
            table = document.add_table(0, len(value[0]), style="Table Grid")
            for row in value:
                for cell, content in zip(table.add_row().cells, row, strict=True):
                    cell.text = content
        elif kind == "items":
            for item in value:
                document.add_paragraph(item, style="List Bullet")
        elif kind == "p":
            document.add_paragraph(str(value))
        else:
            document.add_heading(str(value), int(kind[1]))
    document.save(str(path))


def write_pptx(text: str, meta: dict[str, str], path: Path) -> None:
    """A presentation: one slide for each second-level heading."""
    deck = pptx.Presentation()
    deck.core_properties.title = meta["title"]
    slide = deck.slides.add_slide(deck.slide_layouts[0])
    for kind, value in blocks(text):
        if kind == "h1":
            slide.shapes.title.text = str(value)
        elif kind == "h2":
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            slide.shapes.title.text = str(value)
        elif kind == "table":
            rows: list[list[str]] = value
            frame = slide.shapes.add_table(
                len(rows), len(rows[0]), Inches(0.5), Inches(3.4), Inches(9), Inches(2)
            )
            for r, row in enumerate(rows):
                for c, cell in enumerate(row):
                    frame.table.cell(r, c).text = cell
        else:
            slide.placeholders[1].text = "\n".join(value) if kind == "items" else str(value)
    deck.save(str(path))


def tables(text: str) -> list[list[list[str]]]:
    """The tables of a source."""
    return [value for kind, value in blocks(text) if kind == "table"]


def write_xlsx(text: str, meta: dict[str, str], path: Path) -> None:
    """A workbook with the source's table in one sheet, under its title."""
    book = openpyxl.Workbook()
    book.properties.title = meta["title"]
    book.active.title = "Data"
    book.active.append([meta["title"]])
    for row in tables(text)[0]:
        book.active.append(row)
    book.save(path)


def write_csv(text: str, meta: dict[str, str], path: Path) -> None:
    """The source's table as comma-separated values."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(tables(text)[0])
    path.write_text(out.getvalue(), encoding="utf-8")


def write_html(text: str, meta: dict[str, str], path: Path) -> None:
    """A page as an intranet of its time shows it, with navigation that is not content."""
    body = MarkdownIt().enable("table").render(text)
    path.write_text(
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{meta["title"]}</title>'
        "<script>var visits = 1;</script></head><body><nav>Home | Archive | Help</nav>\n"
        f"{body}</body></html>\n",
        encoding="utf-8",
    )


def write_markdown(text: str, meta: dict[str, str], path: Path) -> None:
    """Markdown with front matter."""
    kept = {key: value for key, value in meta.items() if key != "format"}
    path.write_text(f"---\n{yaml.safe_dump(kept, sort_keys=False)}---\n{text}", encoding="utf-8")


def write_text(text: str, meta: dict[str, str], path: Path) -> None:
    """Plain text: headings in capitals, no markup."""
    lines = [line.lstrip("# ").upper() if line.startswith("#") else line for line in text.splitlines()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


WRITERS: dict[str, tuple[str, Callable[[str, dict[str, str], Path], None]]] = {
    "pdf": (".pdf", write_pdf),
    "scan": (".pdf", write_scan),
    "docx": (".docx", write_docx),
    "pptx": (".pptx", write_pptx),
    "xlsx": (".xlsx", write_xlsx),
    "csv": (".csv", write_csv),
    "html": (".html", write_html),
    "md": (".md", write_markdown),
    "txt": (".txt", write_text),
}


def main() -> None:
    """Write every source in its format."""
    target = FOLDER / "archive"
    target.mkdir(exist_ok=True)
    for source in sorted((FOLDER / "sources").glob("*.md")):
        _, front, text = source.read_text(encoding="utf-8").split("---\n", 2)
        meta = {key: str(value) for key, value in yaml.safe_load(front).items()}
        suffix, write = WRITERS[meta["format"]]
        write(text, meta, target / f"{source.stem}{suffix}")


if __name__ == "__main__":
    main()
