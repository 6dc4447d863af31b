"""What a reader does with the page, in a real browser."""

import asyncio
import json
import re
from pathlib import Path

from playwright.async_api import Page, expect

from tests.adapters.web.conftest import opened

QUESTION = "What was the first-in-human dose of AF-2107?"


async def ask(tab: Page, address: str, question: str = QUESTION) -> None:
    await tab.goto(address)
    await tab.get_by_label("Your question").fill(question)
    await tab.get_by_role("button", name="Ask", exact=True).click()
    await tab.locator("article.answer").last.wait_for(timeout=30_000)


async def test_a_question_is_answered_live_and_the_citation_opens_in_its_page(served: str, tab: Page) -> None:
    await ask(tab, served)

    answer = tab.locator("article.answer")
    await expect(answer).to_contain_text("5 mg")
    await expect(tab.locator("article.progress .steps li.done")).not_to_have_count(0)
    await answer.locator("a.cite").first.click()
    await expect(tab.locator("#drawer mark")).to_contain_text("5 mg")
    picture = tab.locator("#drawer img.page-image")
    await picture.wait_for()
    assert await picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
    await tab.keyboard.press("Escape")
    await expect(tab.locator("#drawer")).to_be_hidden()


async def test_a_thread_is_still_there_after_a_reload_and_knows_its_molecule(served: str, tab: Page) -> None:
    await ask(tab, served)
    await tab.reload()
    await expect(tab.locator("article.answer")).to_contain_text("5 mg")

    await tab.get_by_label("Your question").fill("And by which route was it given?")
    await tab.keyboard.press("Enter")

    await expect(tab.locator("article.answer")).to_have_count(2, timeout=30_000)
    await expect(tab.locator("article.answer").last).to_contain_text("oral", ignore_case=True)
    await expect(tab.locator("nav li a[aria-current]")).to_have_count(1)


async def test_what_the_archive_does_not_state_is_said(served: str, tab: Page) -> None:
    await ask(tab, served, "Was the phototoxicity of AF-2107 measured?")

    answer = tab.locator("article.answer")
    await expect(answer.locator("h3").first).not_to_have_text("Answer")
    await expect(answer).to_contain_text("Nothing in 12 documents speaks of phototoxicity")


async def test_feedback_trace_and_export_work_from_the_answer(served: str, tab: Page) -> None:
    await ask(tab, served)
    answer = tab.locator("article.answer")

    await answer.get_by_role("button", name="Helpful").click()
    await expect(answer).to_contain_text("1 × helpful")
    await tab.get_by_role("link", name="Trace").click()
    await expect(tab.locator("#drawer")).to_contain_text("classify")
    await answer.get_by_text("Export", exact=True).click()
    async with tab.expect_download() as download:
        await answer.get_by_role("link", name="JSON").click()
    saved = await (await download.value).path()
    content = json.loads(await asyncio.to_thread(saved.read_text, encoding="utf-8"))
    assert content["report"]["title"] == QUESTION


async def test_an_uploaded_document_can_be_asked_about_at_once(
    served: str, tab: Page, tmp_path: Path
) -> None:
    report = tmp_path / "ZQ-77 note.md"
    report.write_text("# ZQ-7701: note\n\nZQ-7701 was first given to humans as a single oral dose of 3 mg.\n")
    await tab.goto(served)
    await tab.locator("#upload").set_input_files(report)
    await expect(tab.locator("#upload-report")).to_contain_text("is in the archive", timeout=30_000)

    await ask(tab, served, "What was the first-in-human dose of ZQ-7701?")

    await expect(tab.locator("article.answer")).to_contain_text("3 mg")


async def test_a_file_that_cannot_be_read_is_named_with_the_reason(
    served: str, tab: Page, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing of use")
    await tab.goto(served)
    await tab.locator("#upload").set_input_files(broken)

    await expect(tab.locator("#upload-report")).to_contain_text("broken.pdf was not taken", timeout=30_000)


async def test_the_page_fits_a_phone_and_follows_dark_mode(served: str) -> None:
    async with opened(viewport={"width": 360, "height": 740}, color_scheme="dark") as phone:
        await ask(phone, served, "For which organs is toxicity of AF-2107 reported, and in which species?")
        assert await phone.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth")
        dark = await phone.evaluate("getComputedStyle(document.body).backgroundColor")
    async with opened(color_scheme="light") as desk:
        await desk.goto(served)
        light = await desk.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light


async def test_every_control_has_a_name_and_everything_works_from_the_keyboard(
    served: str, tab: Page
) -> None:
    await ask(tab, served)

    nameless = await tab.evaluate(
        """() => [...document.querySelectorAll('button, a, input, textarea')].filter(
             e => !e.closest('[hidden]')
               && !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)
           ).map(e => e.outerHTML)"""
    )
    assert nameless == []
    await tab.locator("article.answer a.cite").first.focus()
    await tab.keyboard.press("Enter")
    await expect(tab.locator("#drawer [data-close]")).to_be_focused()
    await tab.keyboard.press("Enter")
    await expect(tab.locator("article.answer a.cite").first).to_be_focused()


async def test_who_begins_is_offered_questions_and_an_export_is_a_button(served: str, tab: Page) -> None:
    await tab.goto(served)
    await expect(tab.locator("#welcome .choice")).to_have_count(3, timeout=30_000)
    await tab.get_by_label("Your question").fill("hi, what can you do?")
    await tab.keyboard.press("Enter")
    choices = tab.locator("article.notice .choice")
    await expect(choices).to_have_count(3)
    await choices.first.click()
    await expect(tab.locator("article.answer h3").first).to_have_text("Answer", timeout=30_000)

    await tab.get_by_label("Your question").fill("export docx")
    await tab.keyboard.press("Enter")
    async with tab.expect_download() as download:
        await tab.get_by_role("link", name="Download DOCX").click()
    name = (await download.value).suggested_filename
    assert re.fullmatch(r"\w.{10,60} 20\d\d-\d\d-\d\d\.docx", name), name


async def test_a_second_click_asks_once_and_only_a_refused_text_stays_in_the_box(
    served: str, tab: Page
) -> None:
    await tab.goto(served)
    box = tab.get_by_label("Your question")
    await box.fill(QUESTION)
    await tab.get_by_role("button", name="Ask", exact=True).evaluate("one => { one.click(); one.click(); }")
    await expect(tab.locator("article.answer")).to_contain_text("5 mg", timeout=30_000)
    await expect(tab.locator(".question")).to_have_count(1)
    await expect(box).to_have_value("")

    await box.fill("a" * 4_001)
    await tab.keyboard.press("Enter")
    await expect(tab.locator("article.error")).to_contain_text("4,001 characters")
    await expect(tab.locator(".question")).to_have_count(1)
    assert len(await box.input_value()) == 4_001


async def test_what_is_said_stands_above_its_reply_and_a_slip_is_put_right_by_a_button(
    served: str, tab: Page
) -> None:
    await tab.goto(served)
    await tab.get_by_label("Your question").fill("hlep")
    await tab.keyboard.press("Enter")
    await tab.get_by_role("button", name="help", exact=True).click()
    await expect(tab.locator("article.help")).to_contain_text("records")
    first = tab.locator("#thread > *").first
    await expect(first).to_have_text("Question: hlep")


async def test_the_title_of_the_drawer_stays_above_the_heads_of_a_table(served: str, tab: Page) -> None:
    await tab.set_viewport_size({"width": 1440, "height": 500})
    await ask(tab, served, "For which organs is toxicity of AF-2107 reported, and in which species?")
    await tab.locator("article.answer a.cite").first.click()
    header = tab.locator("#drawer header")
    await header.wait_for()
    covered = """header => {
        const table = document.createElement("div");
        table.innerHTML = '<div class="scroll"><table><tr><th>Dose</th></tr></table></div>';
        header.after(table);
        table.style.marginTop = "-3rem";
        const at = table.querySelector("th").getBoundingClientRect();
        return !header.contains(document.elementFromPoint(at.left + 9, at.top + 9));
    }"""
    assert not await header.evaluate(covered)


async def test_a_list_of_documents_that_a_filter_empties_says_so(served: str, tab: Page) -> None:
    await tab.goto(f"{served}/documents")
    await tab.get_by_label("Search documents").fill("xyzzy")
    await expect(tab.locator("#no-documents")).to_be_visible()
    await tab.get_by_label("Search documents").fill("")
    await expect(tab.locator("#no-documents")).to_be_hidden()


async def test_on_a_phone_four_columns_of_a_document_are_seen_at_once(served: str) -> None:
    heads = ("Species", "Dose (mg/kg/day)", "Cmax (ng/mL)", "AUC0-24 (ng*h/mL)", "Main finding")
    cells = ("Dog", "40", "2,410", "19,600", "hepatocellular hypertrophy, ALT up 2.1-fold")
    rows = "".join(
        f"<tr>{''.join(f'<{tag}>{one}</{tag}>' for one in row)}</tr>"
        for tag, row in (("th", heads), ("td", cells))
    )
    async with opened(viewport={"width": 390, "height": 844}) as tab:
        await ask(tab, served)
        await tab.locator("article.answer a.cite").first.click()
        shown = tab.locator("#drawer .page")
        await shown.evaluate(
            "(one, rows) => { one.innerHTML = `<div class=scroll><table>${rows}</table></div>`; }", rows
        )
        edge = "one => one.getBoundingClientRect().right"
        fourth = await shown.locator("td:nth-child(4)").evaluate(edge)
        assert fourth <= await shown.locator(".scroll").evaluate(edge)
