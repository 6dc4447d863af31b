"""What a reader does beside asking: threads, files, judgements, citations; on a desk and on a phone."""

import re
from pathlib import Path

from playwright.async_api import Page, expect

from tests.adapters.web.conftest import opened
from tests.adapters.web.test_browser import ask

PHONE = {"width": 390, "height": 844}


async def test_a_thread_is_renamed_found_deleted_and_put_back(served: str, tab: Page) -> None:
    await ask(tab, served, "Why was AF-3350 discontinued?")
    here = tab.locator("#threads a[aria-current]")
    await expect(here).to_have_text(re.compile("Why was AF-3350 discontinued"))

    await tab.locator("#threads li:has([aria-current]) summary").click()
    await tab.get_by_role("button", name="Rename…").locator("visible=true").click()
    await tab.locator("dialog textarea").fill("Closure, for Friday")
    await tab.get_by_role("button", name="Rename", exact=True).click()
    await expect(here).to_have_text("Closure, for Friday")

    await tab.get_by_label("Search threads").fill("closure friday")
    await expect(tab.locator("#threads li a")).to_have_count(1)
    await tab.get_by_label("Search threads").fill("no such words")
    await expect(tab.locator("#threads")).to_contain_text("nothing found")
    await tab.get_by_label("Search threads").fill("")

    await tab.locator("#threads li:has([aria-current]) summary").click()
    await tab.get_by_role("button", name="Delete").locator("visible=true").click()
    await expect(here).to_have_count(0)
    await tab.reload()
    await expect(tab.locator("#deleted")).to_be_visible()
    await expect(here).to_have_count(0)
    await tab.get_by_role("button", name="Put it back").click()
    await expect(here).to_have_text("Closure, for Friday")

    await tab.locator("#threads li:has([aria-current]) summary").click()
    await tab.get_by_role("button", name="Delete").locator("visible=true").click()
    await tab.get_by_role("button", name="Undo").click()
    await expect(here).to_have_text("Closure, for Friday")


async def test_a_cancelled_judgement_records_nothing_and_a_sent_one_its_words(served: str, tab: Page) -> None:
    await ask(tab, served)
    answer = tab.locator("article.answer")
    await answer.get_by_role("button", name="Not right").click()
    await tab.locator("dialog textarea").fill("half a thought")
    await tab.get_by_role("button", name="Cancel").click()
    await answer.get_by_role("button", name="Not right").click()
    await tab.keyboard.press("Escape")
    await answer.get_by_role("button", name="Helpful").click()
    await expect(answer).to_contain_text("1 × helpful")
    assert "not right" not in (await answer.locator(".footnote").inner_text())

    await answer.get_by_role("button", name="Not right").click()
    await tab.locator("dialog textarea").fill("The dose was lowered")
    await tab.get_by_role("button", name="Send").click()
    await expect(answer.locator(".footnote")).to_contain_text("1 × not right")


async def test_every_file_of_an_upload_reports_and_one_that_is_there_is_replaced_only_if_asked(
    served: str, tab: Page, tmp_path: Path
) -> None:
    note, broken, other = tmp_path / "KV note.md", tmp_path / "KV broken.pdf", tmp_path / "KV other.md"
    note.write_text("# KV-1: note\n\nKV-1 was given at 3 mg.\n")
    broken.write_bytes(b"%PDF-1.7 nothing of use")
    other.write_text("# KV-2: note\n\nKV-2 was given at 4 mg.\n")
    await tab.goto(served)
    await tab.locator("#upload").set_input_files([note, broken, other])
    lines = tab.locator("#upload-report li")
    await expect(lines).to_have_count(3)
    await expect(lines.nth(0)).to_contain_text("KV note.md is in the archive", timeout=30_000)
    await expect(lines.nth(1)).to_contain_text("KV broken.pdf was not taken", timeout=30_000)
    await expect(lines.nth(2)).to_contain_text("KV other.md is in the archive", timeout=30_000)
    await expect(lines.locator("xpath=self::*[@class='failed']")).to_have_count(1)

    note.write_text("# KV-1: note\n\nKV-1 was given at 30 mg.\n")
    await tab.locator("#upload").set_input_files(note)
    dialog = tab.locator("dialog")
    await expect(dialog).to_contain_text("another file named KV note.md")
    await tab.get_by_role("button", name="Cancel").click()
    await expect(lines.last).to_have_text("KV note.md was left as it was.")

    await tab.locator("#upload").set_input_files(note)
    await dialog.get_by_role("button", name="Replace").click()
    await expect(lines.last).to_contain_text("KV note.md is in the archive", timeout=30_000)
    await tab.get_by_role("link", name=re.compile("documents")).click()
    await tab.get_by_label("Search documents").fill("kv-1")
    await tab.locator("#documents li:visible a").click()
    await expect(tab.locator("#drawer .page")).to_contain_text("30 mg")


async def test_a_record_is_set_right_on_the_page_and_taken_back(served: str, tab: Page) -> None:
    await tab.goto(served)
    await tab.get_by_role("link", name=re.compile("documents")).click()
    await tab.locator("#documents a").first.click()
    drawer = tab.locator("#drawer")
    # The list of documents has a heading too: only the opened document has the form.
    await expect(drawer.get_by_text("Set this record right")).to_be_visible()
    before = await drawer.locator("h2").inner_text()
    await drawer.get_by_text("Set this record right").click()
    await drawer.get_by_label("Title").fill("Closure memo, signed")
    await drawer.get_by_label("Status").select_option("completed")
    await drawer.get_by_role("button", name="Keep").click()
    await expect(drawer.locator("h2")).to_have_text("Closure memo, signed")
    await expect(drawer.get_by_role("status")).to_contain_text("is kept so")

    await drawer.get_by_label("Date").fill("1.4.2009")
    await drawer.get_by_role("button", name="Keep").click()
    assert await drawer.get_by_label("Date").evaluate("field => field.validity.patternMismatch")

    await drawer.get_by_role("button", name="As it was read").click()
    await expect(drawer.locator("h2")).to_have_text(before)
    await expect(drawer.get_by_role("button", name="As it was read")).to_have_count(0)


async def test_a_document_opens_its_file_and_is_taken_out_and_put_back(served: str, tab: Page) -> None:
    await tab.goto(f"{served}/documents/AF-CL-06-001?start=10&end=20")
    file = tab.get_by_role("link", name="Open the file at page 1")
    assert await file.get_attribute("href") == "/documents/AF-CL-06-001/original#page=1"
    answer = await tab.request.get(f"{served}/documents/AF-CL-06-001/original")
    assert (answer.headers["content-type"], (await answer.body())[:5]) == ("application/pdf", b"%PDF-")

    await tab.goto(served)
    size = tab.locator("#archive-size a")
    before = await size.inner_text()
    await size.click()
    await tab.locator("#documents a").first.click()
    await tab.get_by_text("Set this record right").click()
    await tab.get_by_role("button", name="Take this document out").click()
    await expect(size).not_to_have_text(before)
    await tab.get_by_role("button", name="Undo").click()
    await expect(size).to_have_text(before)
    await expect(tab.locator("#toast")).to_contain_text("in the archive again")


async def test_a_cell_of_a_workbook_opens_marked_in_its_table_also_in_a_tab_of_its_own(
    served: str, tab: Page
) -> None:
    await tab.goto(f"{served}/documents/AF-PK-07-009")
    rows = tab.locator("main.sheet .page table tr")
    await expect(rows.first.locator("th").first).to_have_text("Study")
    assert await rows.first.locator("th").first.evaluate("e => getComputedStyle(e).borderTopStyle") == "solid"
    await ask(tab, served, "What was the half-life of AF-2107 after 400 mg?")
    cites = tab.locator("article.answer a.cite, article.answer .sources a")
    addresses = [await one.get_attribute("href") or "" for one in await cites.all()]
    cell = next((address for address in addresses if "AF-PK-07-009" in address), "")
    assert cell
    await tab.goto(served + cell)
    mark = tab.locator("main.sheet mark")
    await expect(mark).to_have_count(1)
    assert await mark.evaluate("e => e.closest('td.told') && e.closest('tr.told') !== null")
    await expect(tab.locator("main.sheet th.told")).to_contain_text("Half-life")


async def test_a_phone_has_a_menu_and_a_thread_opens_at_its_last_question(served: str) -> None:
    async with opened(viewport=PHONE) as phone:
        await ask(phone, served, "For which organs is toxicity of AF-2107 reported, and in which species?")
        await expect(phone.locator("nav")).not_to_be_in_viewport()
        await phone.get_by_label("Your question").fill("What was the first-in-human dose of AF-2107?")
        await phone.keyboard.press("Enter")
        await expect(phone.locator("article.answer")).to_have_count(2, timeout=30_000)
        await phone.reload()
        await expect(phone.locator(".question").last).to_be_in_viewport()
        await expect(phone.locator("article.answer").last).to_be_in_viewport()

        button = phone.get_by_role("button", name="Menu")
        await button.click()
        await expect(button).to_have_attribute("aria-expanded", "true")
        await expect(phone.get_by_label("Search threads")).to_be_focused()
        await phone.keyboard.press("Escape")
        await expect(phone.locator("nav")).not_to_be_in_viewport()
        await expect(button).to_be_focused()
        await button.click()
        await phone.get_by_role("link", name=re.compile("documents")).click()
        await expect(phone.locator("#drawer")).to_be_in_viewport()
        assert await phone.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth")


async def test_a_question_stands_above_its_progress_in_every_tab_and_an_answer_offers_more(
    served: str, tab: Page
) -> None:
    await tab.goto(served)
    thread = await tab.locator("#house").get_attribute("data-thread")
    second = await tab.context.new_page()
    await second.goto(f"{served}/?channel=archive&thread={thread}")
    await tab.get_by_label("Your question").fill("What was the first-in-human dose of AF-2107?")
    await tab.keyboard.press("Enter")
    for page in (tab, second):
        await page.locator("article.answer").wait_for(timeout=30_000)
        first, then, last = await page.locator("#thread > *").all()
        assert "question" in (await first.get_attribute("class") or "")
        assert "progress" in (await then.get_attribute("class") or "")
        assert "answer" in (await last.get_attribute("class") or "")
        await expect(page.locator("article.progress.rest summary")).to_contain_text("Done")
    offered = tab.locator("article.answer .next button")
    await expect(offered.first).to_be_visible(timeout=15_000)
    assert all("AF-2107" in text for text in await offered.all_inner_texts())
    await offered.first.click()
    await expect(tab.locator("article.answer")).to_have_count(2, timeout=30_000)
