"""The pages that the app package points to: there, true to what is set, and the company's own where named."""

import httpx
import pytest
from starlette.applications import Starlette

from adapters.teams.notices import Practice, notice_routes
from adapters.teams.package import manifest

HOUSE = Practice(model=True, live=False, card_days=30)


async def page(path: str, practice: Practice = HOUSE, **own: str) -> httpx.Response:
    app = Starlette(routes=notice_routes(practice, **own))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="https://bot") as client:
        return await client.get(path)


async def test_what_the_manifest_points_to_is_served() -> None:
    developer = manifest("11111111-2222-3333-4444-555555555555", "https://bot")["developer"]
    for address in (developer["privacyUrl"], developer["termsOfUseUrl"]):
        answer = await page(address)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/html")
        assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_privacy_says_what_is_stored_where_how_long_and_how_it_is_deleted() -> None:
    told = (await page("/privacy")).text
    for heading in ("What is stored", "Where", "For how long", "How to have it deleted"):
        assert f"<h2>{heading}</h2>" in told
    assert "after 30 days" in told
    assert "your directory id" in told


@pytest.mark.parametrize("model", [True, False])
@pytest.mark.parametrize("live", [True, False])
async def test_who_else_learns_what_is_written_is_told_as_it_is_set(model: bool, live: bool) -> None:
    told = (await page("/privacy", Practice(model, live, 30))).text
    assert ("No language model is set" in told) is not model
    assert ("over the internet" in told and "not asked over" not in told) is live


async def test_a_company_with_pages_of_its_own_is_led_there_and_its_manifest_names_them() -> None:
    own = {"privacy_url": "https://corp.example/p", "terms_url": "https://corp.example/t"}
    answers = [await page(path, **own) for path in ("/privacy", "/terms")]
    assert [(one.status_code, one.headers["location"]) for one in answers] == [
        (302, own["privacy_url"]),
        (302, own["terms_url"]),
    ]
    developer = manifest("11111111-2222-3333-4444-555555555555", "https://bot", **own)["developer"]
    assert (developer["privacyUrl"], developer["termsOfUseUrl"]) == tuple(own.values())
