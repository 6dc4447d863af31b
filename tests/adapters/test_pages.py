"""The generated pages of the docs are current, and no link leads nowhere."""

import importlib.util

import pytest

from tests.support.services import ROOT

spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
assert spec is not None
assert spec.loader is not None
build = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build)


@pytest.mark.parametrize("page", build.PAGES)
def test_a_generated_page_is_current(page: str) -> None:
    assert (build.DOCS / page).read_text(encoding="utf-8") == build.PAGES[page](), "run `make docs`"


def test_every_link_leads_somewhere() -> None:
    assert build.broken_links() == []
