"""`Web`: what every way to a database does, and what the one over HTTP does on bad days."""

import asyncio
import gzip
import json
import logging
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from adapters.sources import keys as keys_module
from adapters.sources.kept_web import CachedWeb, RecordingWeb, ReplayedWeb
from adapters.sources.keys import Keys
from adapters.sources.web import HttpWeb, Surroundings, WebLimits, stays
from agents.databases.ports import Web, WebReply, WebRequest
from agents.errors import ToolFailed
from tests.adapters.sources.database_server import Served, serving
from tests.support.recorded_web import RecordedWeb

SECRET = "s3cret-of-ncbi"


@dataclass
class Time:
    """A clock that only waiting moves."""

    seconds: float = 0.0
    slept: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 2))
        self.seconds += seconds

    @property
    def around(self) -> Surroundings:
        now = datetime(2026, 3, 1, tzinfo=UTC)
        return Surroundings(lambda: self.seconds, self.sleep, lambda: now)


@pytest.fixture
def served() -> Iterator[Served]:
    with serving() as database:
        database.reply("/gene/ABC1", (200, {"X-UniProt-Release": "2026_01"}, b'{"symbol": "ABC1"}'))
        database.reply("/post", (200, {}, b'"posted"'))
        database.reply("/refused", (403, {}, b"no"))
        database.reply("/unknown", (400, {}, b'{"error": "No valid lookup found for symbol X"}'))
        yield database


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def http(time: Time) -> AsyncIterator[HttpWeb]:
    limits = WebLimits(seconds=1.0, attempts=3, pause=30.0, size=2**20, rest=300.0)
    web = HttpWeb({"fast": (100, 1.0), "paced": (2, 10.0)}, limits=limits, around=time.around)
    yield web
    await web.close()


@pytest.fixture(params=["http", "memory", "cached", "recording", "replayed"])
async def web(request: pytest.FixtureRequest, served: Served, http: HttpWeb, tmp_path: Path) -> Web:
    if request.param == "memory":
        return RecordedWeb(
            {
                f"{served.url}/gene/ABC1?a=1&b=x+y": '{"symbol": "ABC1"}',
                f"{served.url}/gene/NONE": None,
                f'{served.url}/post {{"q": 1}}': '"posted"',
                f"{served.url}/refused": ToolFailed("genes refused the request (403)."),
            },
            date="2026-03-01",
            release="2026_01",
        )
    if request.param == "cached":
        return CachedWeb(http, tmp_path / "replies.db", 60.0)
    if request.param == "recording":
        return RecordingWeb(http, tmp_path)
    if request.param == "replayed":
        recording = RecordingWeb(http, tmp_path)
        for asked in (abc1(served), WebRequest("genes", f"{served.url}/gene/NONE"), posted(served)):
            await recording.fetch(asked)
        served.replies.clear()
        return ReplayedWeb(tmp_path)
    return http


def abc1(served: Served) -> WebRequest:
    return WebRequest("genes", f"{served.url}/gene/ABC1", (("a", "1"), ("b", "x y")))


def posted(served: Served) -> WebRequest:
    return WebRequest("genes", f"{served.url}/post", body='{"q": 1}')


class TestEveryWay:
    async def test_a_reply_says_where_from_when_and_which_release(self, web: Web, served: Served) -> None:
        address = f"{served.url}/gene/ABC1?a=1&b=x+y"
        assert await web.fetch(abc1(served)) == WebReply(
            '{"symbol": "ABC1"}', address, "2026-03-01", "2026_01"
        )

    async def test_nothing_of_this_name_is_none(self, web: Web, served: Served) -> None:
        assert await web.fetch(WebRequest("genes", f"{served.url}/gene/NONE")) is None

    async def test_a_body_makes_it_a_post(self, web: Web, served: Served) -> None:
        reply = await web.fetch(posted(served))
        assert reply is not None
        assert reply.text == '"posted"'

    async def test_a_refusal_names_the_database(self, web: Web, served: Served) -> None:
        with pytest.raises(ToolFailed, match=r"^genes (refused the request \(403\)|was not asked)"):
            await web.fetch(WebRequest("genes", f"{served.url}/refused"))


class TestOverHttp:
    async def test_a_busy_database_is_asked_again_after_the_time_that_it_names(
        self, http: HttpWeb, served: Served, time: Time
    ) -> None:
        served.reply("/busy", (429, {"Retry-After": "7"}, b""), (503, {}, b""), (200, {}, b"yes"))
        reply = await http.fetch(WebRequest("fast", f"{served.url}/busy"))
        assert reply is not None
        assert reply.text == "yes"
        assert time.slept[0] == 7.0
        assert 1.0 <= time.slept[1] <= 1.25

    async def test_a_date_in_retry_after_is_understood(
        self, http: HttpWeb, served: Served, time: Time
    ) -> None:
        later = {"Retry-After": "Sun, 01 Mar 2026 00:00:12 GMT"}
        served.reply("/busy", (503, later, b""), (200, {}, b"yes"))
        await http.fetch(WebRequest("fast", f"{served.url}/busy"))
        assert time.slept == [12.0]

    async def test_a_pause_that_is_too_long_is_not_waited_for_and_kept_to(
        self, http: HttpWeb, served: Served, time: Time
    ) -> None:
        served.reply("/busy", (429, {"Retry-After": "600"}, b""))
        for expected in (r"it replied 429", "asked for a pause. It is asked again in 10 minutes"):
            with pytest.raises(ToolFailed, match=expected):
                await http.fetch(WebRequest("fast", f"{served.url}/busy"))
        assert (len(served.asked), time.slept) == (1, [])

    async def test_attempts_end(self, http: HttpWeb, served: Served) -> None:
        served.reply("/down", (500, {}, b"<html>"))
        with pytest.raises(ToolFailed, match=r"fast could not be asked: it replied 500 \(127.0.0.1\)"):
            await http.fetch(WebRequest("fast", f"{served.url}/down"))
        assert len(served.asked) == 3

    async def test_a_slow_database_is_given_up_and_after_some_times_left_alone(self, served: Served) -> None:
        served.reply("/slow", (200, {}, b"late"))
        served.slow = 0.3
        web = HttpWeb({}, limits=WebLimits(seconds=0.05, attempts=1))
        for _ in range(3):
            with pytest.raises(ToolFailed, match=r"no reply within 0.05 s"):
                await web.fetch(WebRequest("fast", f"{served.url}/slow"))
        with pytest.raises(ToolFailed, match=r"is not asked: 127.0.0.1 did not reply in time. .* 5 minutes"):
            await web.fetch(WebRequest("fast", f"{served.url}/gene/ABC1"))
        await web.close()

    async def test_a_dead_host_is_left_alone_and_asked_again_later(
        self, http: HttpWeb, served: Served, time: Time
    ) -> None:
        dead = WebRequest("fast", "http://127.0.0.1:9/x")
        with pytest.raises(ToolFailed, match="its host cannot be reached"):
            await http.fetch(dead)
        waited = len(time.slept)
        with pytest.raises(ToolFailed, match=r"could not be reached. It is asked again in 5 minutes"):
            await http.fetch(dead)
        assert len(time.slept) == waited
        time.seconds += 301
        assert await http.fetch(abc1(served)) is not None

    async def test_requests_in_hand_do_not_go_on_trying_a_dead_host(self) -> None:
        web = HttpWeb({"paced": (1, 0.1)})
        asked = [web.fetch(WebRequest("paced", f"http://127.0.0.1:9/{n}")) for n in range(9)]
        ended = await asyncio.gather(*asked, return_exceptions=True)
        await web.close()
        assert all(isinstance(one, ToolFailed) for one in ended)
        assert sum("could not be asked" in str(one) for one in ended) <= 2

    async def test_a_reader_is_told_the_title_of_a_database(self) -> None:
        web = HttpWeb({}, limits=WebLimits(attempts=1), titles={"genes": "The Genes"})
        with pytest.raises(ToolFailed, match=r"^The Genes could not be asked: its host cannot be reached"):
            await web.fetch(WebRequest("genes", "http://127.0.0.1:9/x"))
        await web.close()

    async def test_a_huge_reply_is_refused(self, http: HttpWeb, served: Served) -> None:
        served.reply("/huge", (200, {}, b"x" * (2**20 + 1)))
        bomb = gzip.compress(b"0" * 2**24)
        served.reply("/bomb", (200, {"Content-Encoding": "gzip"}, bomb))
        for path in ("huge", "bomb"):
            with pytest.raises(ToolFailed, match="more than 1 MB"):
                await http.fetch(WebRequest("fast", f"{served.url}/{path}"))

    async def test_a_broken_reply_is_a_sentence(self, http: HttpWeb, served: Served) -> None:
        served.reply("/broken", (200, {}, b""))
        served.reply("/unpackable", (200, {"Content-Encoding": "gzip"}, b"not gzip"))
        with pytest.raises(ToolFailed, match="the connection broke"):
            await http.fetch(WebRequest("fast", f"{served.url}/broken"))
        with pytest.raises(ToolFailed, match="cannot be unpacked"):
            await http.fetch(WebRequest("fast", f"{served.url}/unpackable"))

    async def test_a_wrong_address_is_a_sentence(self, http: HttpWeb) -> None:
        for url in ("no address", "ftp://x/y", "http://[", ""):
            with pytest.raises(ToolFailed):
                await http.fetch(WebRequest("fast", url))

    async def test_400_that_says_not_found_is_none(self, http: HttpWeb, served: Served) -> None:
        assert await http.fetch(WebRequest("fast", f"{served.url}/unknown")) is None

    async def test_a_source_is_asked_only_so_often(self, http: HttpWeb, served: Served, time: Time) -> None:
        await asyncio.gather(*(http.fetch(WebRequest("paced", f"{served.url}/gene/ABC1")) for _ in range(5)))
        assert time.seconds == 20.0


class TestKeys:
    async def test_a_key_goes_to_its_host_and_nowhere_else(
        self, served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(keys_module, "NCBI", "127.0.0.1")
        monkeypatch.setattr(keys_module, "PUBLISHED", {"127.0.0.1": ((3, 1.0), (10, 1.0))})
        served.reply("/bad", (400, {}, f'{{"api-key": "{SECRET}"}}'.encode()))
        web = HttpWeb({}, Keys(ncbi=SecretStr(SECRET)))
        caplog.set_level(logging.DEBUG)
        reply = await web.fetch(abc1(served))
        with pytest.raises(ToolFailed) as refused:
            await web.fetch(WebRequest("ncbi", f"{served.url}/bad"))
        await web.close()
        assert served.asked[0][0].endswith(f"&api_key={SECRET}")
        assert reply is not None
        assert SECRET not in f"{reply} {refused.value}"
        assert SECRET not in caplog.text
        assert "api_key=(key)" in caplog.text

    def test_no_other_host_is_given_a_key_and_a_key_allows_more(self) -> None:
        keys, none = Keys(ncbi=SecretStr("x"), openfda=SecretStr("y")), Keys()
        assert keys.given("example.org", ()) == ()
        assert keys.given("api.fda.gov", ()) == (("api_key", "y"),)
        assert none.pace("eutils.ncbi.nlm.nih.gov") == (3, 1.0)
        assert keys.pace("eutils.ncbi.nlm.nih.gov") == (10, 1.0)


class TestKept:
    async def test_a_reply_is_fetched_once_until_it_is_too_old(
        self, http: HttpWeb, served: Served, tmp_path: Path
    ) -> None:
        now = [1000.0]
        web = CachedWeb(http, tmp_path / "x" / "replies.db", 60.0, lambda: now[0])
        first = await asyncio.gather(*(web.fetch(abc1(served)) for _ in range(4)))
        again = await CachedWeb(http, tmp_path / "x" / "replies.db", 60.0, lambda: now[0]).fetch(abc1(served))
        assert len(served.asked) == 1
        assert {*first, again} == {first[0]}
        now[0] += 61
        await web.fetch(abc1(served))
        assert len(served.asked) == 2

    async def test_that_there_is_nothing_is_kept_too_and_a_failure_is_not(
        self, http: HttpWeb, served: Served, tmp_path: Path
    ) -> None:
        web = CachedWeb(http, tmp_path / "replies.db", 60.0)
        none = WebRequest("fast", f"{served.url}/gene/NONE")
        assert [await web.fetch(none), await web.fetch(none)] == [None, None]
        for _ in range(2):
            with pytest.raises(ToolFailed):
                await web.fetch(WebRequest("fast", f"{served.url}/refused"))
        assert [path for path, _ in served.asked] == ["/gene/NONE", "/refused", "/refused"]

    async def test_a_damaged_cache_is_no_reason_to_stop(
        self, http: HttpWeb, served: Served, tmp_path: Path
    ) -> None:
        (tmp_path / "replies.db").write_bytes(b"no database" * 1000)
        assert await CachedWeb(http, tmp_path / "replies.db", 60.0).fetch(abc1(served)) is not None

    async def test_a_snapshot_that_lacks_a_reply_or_is_damaged_says_so(
        self, http: HttpWeb, served: Served, tmp_path: Path
    ) -> None:
        await RecordingWeb(http, tmp_path).fetch(abc1(served))
        (path,) = list(tmp_path.rglob("*.json"))  # noqa: ASYNC240
        assert json.loads(path.read_text())["reply"]["date"] == "2026-03-01"
        with pytest.raises(ToolFailed, match=r"there is none to .*/other. PESTLE_SOURCES_MODE=record"):
            await ReplayedWeb(tmp_path).fetch(WebRequest("genes", f"{served.url}/other"))
        for damage in ("{", "[]", '{"reply": {"text": 1}}', "\udc80"):
            path.write_bytes(damage.encode("utf-8", "surrogateescape"))
            with pytest.raises(ToolFailed, match="damaged"):
                await ReplayedWeb(tmp_path).fetch(abc1(served))

    async def test_the_order_of_parameters_does_not_count(
        self, http: HttpWeb, served: Served, tmp_path: Path
    ) -> None:
        await RecordingWeb(http, tmp_path).fetch(abc1(served))
        turned = WebRequest("genes", f"{served.url}/gene/ABC1", (("b", "x y"), ("a", "1")))
        assert await ReplayedWeb(tmp_path).fetch(turned) is not None


class TestWhereItLeads:
    @pytest.mark.parametrize(
        ("before", "after", "stays_there"),
        [
            ("https://rest.uniprot.org/a", "https://www.uniprot.org/b", True),
            ("https://www.ebi.ac.uk/a", "https://ftp.ebi.ac.uk/b", True),
            ("https://www.ebi.ac.uk/a", "https://evil.ac.uk/b", False),
            ("https://rest.uniprot.org/a", "http://rest.uniprot.org/b", False),
            ("https://rest.uniprot.org/a", "https://uniprot.org.evil.com/b", False),
            ("https://rest.uniprot.org/a", "https://10.0.0.1/b", False),
            ("http://10.0.0.1:80/a", "http://10.0.0.1:81/b", False),
        ],
    )
    def test_a_redirect_stays_on_its_site_and_encrypted(
        self, before: str, after: str, stays_there: bool
    ) -> None:
        assert stays(httpx.URL(before), httpx.URL(after)) is stays_there

    async def test_a_redirect_is_followed_on_its_host_and_to_no_other(
        self, http: HttpWeb, served: Served
    ) -> None:
        served.reply("/moved", (302, {"Location": "/gene/ABC1"}, b""))
        served.reply("/away", (302, {"Location": "http://elsewhere.test/gene/ABC1"}, b""))
        served.reply("/round", (302, {"Location": "/round"}, b""))
        reply = await http.fetch(WebRequest("fast", f"{served.url}/moved"))
        assert reply is not None
        assert reply.text == '{"symbol": "ABC1"}'
        for path, why in (("/away", "another site"), ("/round", "from page to page")):
            with pytest.raises(ToolFailed, match=why):
                await http.fetch(WebRequest("fast", f"{served.url}{path}"))

    @pytest.mark.parametrize("odd", ["../admin", "A?b=1", "A#b", "A%2e%2e", "A B", "A\\B"])
    async def test_an_odd_identifier_reaches_no_address(
        self, http: HttpWeb, served: Served, odd: str
    ) -> None:
        with pytest.raises(ToolFailed, match="identifier in its address is odd"):
            await http.fetch(WebRequest("fast", f"{served.url}/gene/{odd}"))
        assert served.asked == []


async def test_who_waits_in_line_has_all_attempts_left(served: Served, time: Time) -> None:
    limits = WebLimits(seconds=1.0, attempts=3)
    web = HttpWeb({"paced": (1, 10.0)}, limits=limits, around=time.around)
    served.reply("/busy", (503, {}, b""), (200, {}, b"{}"))
    await web.fetch(WebRequest("paced", f"{served.url}/gene/ABC1"))
    assert await web.fetch(WebRequest("paced", f"{served.url}/busy")) is not None
    await web.close()


ODD = (
    '{"reply": {"text": 7}}',
    '{"reply": []}',
    '{"reply": {"text": null, "url": "", "date": ""}}',
    "[]",
)


@pytest.mark.parametrize("odd", ODD)
async def test_a_kept_reply_of_another_form_is_asked_again(
    served: Served, http: HttpWeb, tmp_path: Path, odd: str
) -> None:
    web = CachedWeb(http, tmp_path / "replies.db", 60.0)
    first = await web.fetch(abc1(served))
    with closing(sqlite3.connect(tmp_path / "replies.db")) as connection, connection:
        connection.execute("UPDATE replies SET content = ?", (odd,))
    assert await web.fetch(abc1(served)) == first
