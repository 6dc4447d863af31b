"""What a safety report is asked for: a target, what shall be done to it, with what, and wishes in words."""

from dataclasses import dataclass

from agents.evidence.values import Citation
from agents.kinds import Given
from agents.kinds.channel import FromChannel
from agents.reports.values import Section
from agents.safety.modality import Direction as Direction
from agents.safety.modality import Modality as Modality


@dataclass(frozen=True, slots=True)
class SafetyOrder(FromChannel):
    """The input of a run.

    `target` is as written: a symbol, alias, Ensembl or NCBI gene id, or UniProt accession. `modality` and
    `direction` are None where they are open; the report then weighs both directions. `area` is a therapeutic
    area in words. `instructions` are wishes for the whole report (layer 3 of the prompts). `without` names
    tools that are not asked, such as a curated list that the report is to be compared with, and sections that
    are not written (`choices.LEFT_OUT`).

    `given` are texts that people gave to the section that is written anew, as sources.
    `uploads` are the lines of texts that people gave to other sections, for what is written from these.

    A run that writes one section anew has its id in `section`, what is asked for in `wish`, and in `standing`
    the sections as they stand that this needs: itself first, then those that it is written from.
    """

    target: str
    modality: Modality | None = None
    direction: Direction | None = None
    area: str = ""
    instructions: str = ""
    without: tuple[str, ...] = ()
    section: str = ""
    wish: str = ""
    standing: tuple[Section, ...] = ()
    given: tuple[Given, ...] = ()
    uploads: tuple[Citation, ...] = ()

    def wide(self, section: str) -> str:
        """What is wanted of a section beside what a revision asks of it, a line each."""
        guidance = (one.text for one in self.guidance if one.section in ("", section))
        return "\n".join(filter(None, (*guidance, self.instructions)))

    def own(self, section: str) -> str:
        """What a revision asks of a section; "" for any other."""
        return self.wish if section == self.section else ""

    @property
    def asked(self) -> str:
        """The order in one line, as people read it."""
        by = f"by {article(self.modality)} {self.modality}" if self.modality else ""
        how = " ".join(filter(None, (self.direction or "", by)))
        area = f" in {self.area}" if self.area else ""
        return f"Target safety of {self.target}{f', {how}' if how else ''}{area}"


def article(noun: str) -> str:
    """The article of a noun."""
    return "an" if noun[:1] in "aeiou" else "a"
