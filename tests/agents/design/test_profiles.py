"""Who is one person, what a profile holds, and who is never used."""

from dataclasses import replace
from pathlib import Path

from agents.databases.ports import Reach, WebReply, WebRequest
from agents.databases.pubmed import Article, Author
from agents.design.brief import drafted
from agents.design.gather import gathered
from agents.design.literature import Ligands, literature_of
from agents.design.pipeline import design
from agents.design.profiles import Mention, same_person, speaks_of
from agents.design.roster import Roster, built_in
from agents.design.values import Profile
from agents.runs.clock import utc_now
from agents.runs.encoding import encode
from agents.runs.heard import HEARD, Said, said_detail
from agents.runs.run import Run
from tests.agents.databases.test_pubmed_records import records
from tests.agents.design.kit import PAPERS, START, begun, bulk, desk, order
from tests.support.memory.sources import MemorySources
from tests.support.scripted import ScriptedModel


def mention(
    fore: str, place: str = "", topics: tuple[str, ...] = (), orcid: str = "", other: str = ""
) -> Mention:
    author = Author("Doe", fore, fore[:1], place, orcid)
    people = (author, Author(other, "X", "X")) if other else (author,)
    return Mention(author, Article(f"{fore}{place}{topics}{orcid}{other}", "t", authors=people, terms=topics))


def test_one_name_is_one_person_only_if_more_speaks_for_it() -> None:
    jane = mention("Jane", "Biomedical Campus, Uppsala", ("Amides",), other="Roe")
    assert not same_person(jane, mention("Jane"))
    assert same_person(jane, mention("Jane Ann", "Uppsala Biomedical"))
    assert same_person(jane, mention("J", other="Roe"))
    assert same_person(jane, mention("Jane", topics=("Amides",)))
    assert not same_person(jane, mention("J", topics=("Amides",)))
    assert not same_person(jane, mention("John", "Biomedical Campus, Uppsala"))
    assert same_person(mention("J", orcid="1"), mention("Jane", orcid="1"))
    assert not same_person(
        mention("Jane", "a bb", orcid="1", other="Roe"), mention("Jane", orcid="2", other="Roe")
    )


def test_a_target_is_named_however_it_is_set() -> None:
    def told(text: str) -> Article:
        return Article("1", text)

    assert speaks_of(told("Inhibitors of GSK-3β in mice"), ("GSK3B",))
    assert speaks_of(told("ABC-1 again"), ("ABC1",))
    assert not speaks_of(told("Fabc1x of plants"), ("ABC1",))


async def test_profiles_have_the_articles_and_molecules_of_their_person() -> None:
    brief = drafted("ABC1 inhibitors", "", "ABC1", (START,), ())
    found = await gathered(desk(papers=True, ligands=True), order(), brief)
    people = {one.person: one for one in found.panel if one.person}
    jane = people["Jane A Doe"]
    assert [paper.pmid for paper in jane.publications] == ["2", "1"] or {"1", "2"} == {
        paper.pmid for paper in jane.publications
    }
    assert {one.name for one in jane.molecules} == {"abcitinib", "abcafib", "abcamide"}
    assert jane.molecules[0].name != "abcitinib", "the nearest to the start comes first"
    assert "Eva Elm" not in people, "her article does not name the target"
    assert [one.name for one in found.panel][:2] == ["Scientist A", "Scientist B"]
    assert "not the opinion of the people" in found.notes[0]
    assert dict(found.papers).keys() >= {"1", "2"}


async def test_a_profile_is_kept_with_date_and_version_until_what_is_known_changes() -> None:
    at, brief = desk(papers=True, ligands=True), drafted("ABC1 inhibitors", "", "ABC1", (START,), ())
    panel = (await gathered(at, order(), brief)).panel
    jane = next(one for one in panel if one.person == "Jane A Doe")
    assert jane.version
    assert jane.date == utc_now().date().isoformat()
    older = MemorySources()
    for one in panel:
        kept = await at.sources.get(f"profile-{one.version}")
        assert kept is not None
        await older.put(replace(kept, text=encode(Profile, replace(one, date="2020-01-01"))[0]))
    again = await gathered(replace(at, sources=older), order(), brief)
    assert again.panel == tuple(replace(one, date="2020-01-01") for one in panel), "kept ones are used again"
    assert all("of 2020-01-01)" in one.title and one.date == "2020-01-01" for one in again.evidence)
    more = Ligands(bulk(papers=True))
    changed = await gathered(replace(at, ligands=more, model=ScriptedModel({})), order(), brief)
    assert jane.version not in [one.version for one in changed.panel], "its ligands are not known any more"


async def test_who_is_excluded_is_never_used_and_members_write_their_own_profile(tmp_path: Path) -> None:
    roster = Roster(tmp_path)
    roster.exclude("Jane A Doe")
    roster.exclude("Doe J")
    (tmp_path / "scientists" / "ada.md").write_text(
        f"---\nname: Ada\nmolecules: [{START}]\n---\nI trust salts.\n"
    )
    brief = drafted("ABC1 inhibitors", "", "ABC1", (START,), ())
    found = await gathered(desk(papers=True, ligands=True, roster=roster), order(), brief)
    people = [one.person for one in found.panel]
    assert "Jane A Doe" not in people
    assert found.panel[0].name == "Ada"
    assert found.panel[0].described == "I trust salts."


async def test_without_literature_three_roles_say_that_they_are_no_persons() -> None:
    found = await gathered(desk(), order(), drafted("x", "", "", (START,), ()))
    assert found.panel == built_in()
    assert "No person stands behind them" in found.notes[0]
    assert not any(one.person for one in found.panel)


async def test_loaded_articles_are_ranked_by_rare_words() -> None:
    literature = literature_of(Reach(bulk(papers=True)))
    assert literature is not None
    assert next(one.pmid for one in await literature.on("ABC1 in the brain", 2)) == "2"
    assert literature_of(Reach(bulk())) is None


class OnePaper:
    """PubMed with one article."""

    def __init__(self) -> None:
        self.terms: list[str] = []

    async def fetch(self, request: WebRequest) -> WebReply:
        asked = dict(request.params)
        self.terms.append(asked.get("term", ""))
        found = '{"esearchresult": {"idlist": ["1"]}}' if "term" in asked else "\n".join(records(PAPERS[0]))
        return WebReply(found, request.url, "2026-11-25")


async def test_pubmed_is_asked_where_nothing_is_loaded_and_the_network_may_be_used() -> None:
    web = OnePaper()
    literature = literature_of(Reach(bulk(), web))
    assert literature is not None
    (found,) = await literature.on("ABC1 inhibitors", 5)
    assert [one.last for one in found.authors] == ["Doe", "Roe"]
    assert await literature.by(found.authors[0], 5) == (found,)
    assert web.terms[2] == "Doe J[1au] OR Doe J[lastau]"


async def test_who_is_excluded_in_a_debate_is_excluded_for_good(tmp_path: Path) -> None:
    roster = Roster(tmp_path)
    record, ledger = await begun()
    said = Said("ana", "now", "k", "please exclude Scientist A")
    await ledger.append(record.run_id, HEARD, said_detail(said))
    shelf = desk(papers=True, ligands=True, roster=roster)
    asked = replace(order(), proposals=1)
    made = await design(shelf, Run(record, ledger), asked)
    assert made.floor is not None
    assert "Scientist A" not in [one.proposal.by for one in made.floor.entries]
    assert roster.excluded() == (made.panel[0].person,)
