"""Headers of databases as they write them, and texts that are no proteins."""

import time

import pytest

from agents.safety.orthologs.fasta import MOST_CHARACTERS, read_fasta
from agents.safety.orthologs.values import ProteinSequence, SequenceError

SEQUENCE = "MSSSSWLLLSLVAVTAAQSTIEEQAKTFLDKFNHE"


def one(header: str, residues: str = SEQUENCE) -> ProteinSequence:
    (read,) = read_fasta(f">{header}\n{residues}\n", "a.fasta")
    return read


def test_a_uniprot_header_tells_species_gene_evidence_and_that_it_is_reviewed() -> None:
    read = one("sp|Q8R0I0|ACE2_MOUSE Some enzyme 2 OS=Mus musculus OX=10090 GN=Ace2 PE=1 SV=3")
    assert (read.accession, read.species.common, read.gene) == ("Q8R0I0", "mouse", "Ace2")
    assert (read.reviewed, read.evidence, read.version) == (True, 1, 3)
    assert (read.description, read.database, read.origin) == ("Some enzyme 2", "UniProt reviewed", "a.fasta")


def test_fragments_and_isoforms_are_told() -> None:
    fragment = one("tr|C7ECU2|C7ECU2_MOUSE Some enzyme (Fragment) OS=Mus musculus OX=10090 PE=2 SV=1")
    assert fragment.fragment
    assert not fragment.reviewed
    second = one("sp|Q8R0I0-2|ACE2_MOUSE Isoform 2 of Some enzyme OS=Mus musculus OX=10090 GN=Ace2")
    assert second.isoform == "2"
    first = one("tr|H2P7N3|H2P7N3_PONAB DPP4 isoform 1 OS=Pongo abelii OX=9601 GN=DPP4 PE=4 SV=2")
    assert first.isoform == ""
    partial = one("XP_004866157.1 some enzyme isoform X2, partial [Heterocephalus glaber]")
    assert (partial.fragment, partial.isoform) == (True, "")
    assert one("NP_001.1 some enzyme isoform 2 precursor [Mus musculus]").isoform == "2"
    assert one("XP_001.1 LOW QUALITY PROTEIN: some enzyme [Mus musculus]").fragment


def test_a_cluster_has_the_species_of_its_member() -> None:
    read = one("UniRef90_F7AH40 Some enzyme n=46 Tax=Simiiformes TaxID=314293 RepID=F7AH40_MACMU")
    assert (read.accession, read.species.common) == ("F7AH40", "rhesus monkey")
    unknown = one("UniRef90_Q1 Some enzyme n=2 Tax=Amniota TaxID=32524 RepID=UPI000123")
    assert not unknown.species.known


@pytest.mark.parametrize(
    ("header", "accession", "species"),
    [
        ("ENSMUSP00000107890_Mmus/1-805", "ENSMUSP00000107890", "mouse"),
        ("ENSP00000252519_Hsap/1-805", "ENSP00000252519", "human"),
        ("ENSRNOP00000070410.2 pep gene_symbol:Ace2 description:x", "ENSRNOP00000070410.2", "rat"),
        ("ENSP00000252519.3", "ENSP00000252519.3", "human"),
        ("ENSCAFP00020004437_Cldi/1-804", "ENSCAFP00020004437", "dingo"),
        ("sp|Q8R0I0.2|ACE2_MOUSE RecName: Full=Some enzyme", "Q8R0I0", "mouse"),
        ("gi|1|sp|Q8R0I0.2|ACE2_MOUSE RecName: Full=Some enzyme [Mus musculus]", "Q8R0I0", "mouse"),
        ("AAH26801.1 Ace2 protein, partial [Mus musculus]", "AAH26801.1", "mouse"),
        ("NP_081562.2 some enzyme 2 precursor [Mus musculus]", "NP_081562.2", "mouse"),
        ("gi|1234|ref|NP_081562.2| some enzyme [Mus musculus]", "NP_081562.2", "mouse"),
        ("C42D8.5.1_Cele/1-906", "C42D8.5.1", "Cele"),
        ("mine an enzyme [Cavia porcellus]", "mine", "guinea pig"),
        ("mine OS=Sus scrofa domesticus OX=9825 GN=ACE2", "mine", "minipig"),
        ("Mus_musculus|ACE2", "Mus_musculus|ACE2", "mouse"),
        ("ACE2-rat", "ACE2-rat", "rat"),
        ("seq1 like ACE2 [Dog]", "seq1", "dog"),
        ("dog|XP_1.2", "dog|XP_1.2", "dog"),
        ("seq1 ACE2 Canis lupus familiaris", "seq1", "dog"),
        ("Gene X (golden hamster)", "Gene", "hamster"),
        ("GENX species=pig", "GENX", "minipig"),
        ("golden_hamster_GENX", "golden_hamster_GENX", "hamster"),
        ("seq1 like that of the mouse", "seq1", "species not stated"),
        ("ACE2_RABIT", "ACE2_RABIT", "rabbit"),
    ],
)
def test_species_are_known_from_any_header(header: str, accession: str, species: str) -> None:
    read = one(header)
    assert (read.accession, read.species.common) == (accession, species)


def test_a_sequence_goes_by_each_of_its_names() -> None:
    assert {"dog|XP_1.2", "XP_1.2", "XP_1"} <= set(one("dog|XP_1.2").names)


def test_gaps_case_and_line_ends_do_not_count() -> None:
    (read,) = read_fasta("\ufeff>a [Mus musculus]\r\n--mss.S\r\n\r\nW-LL*\r\n")
    assert read.residues == "MSSSWLL"


def test_a_header_that_follows_on_a_line_of_residues_begins_an_entry() -> None:
    read = read_fasta(f">sp|P1|A_HUMAN A\n{SEQUENCE}>tr|Q2|A_MOUSE A\n{SEQUENCE}")
    assert [(one.species.common, one.residues) for one in read] == [("human", SEQUENCE), ("mouse", SEQUENCE)]


def test_hostile_headers_are_read_quickly_and_obeyed_never() -> None:
    started = time.process_time()
    for head in ("OS=" * 700, "a_" * 1000, "[A b" * 500, "{" * 2000, "MGP_" * 500, "sp|" * 600, "X " * 1000):
        assert one(f"{head} \x1b[2J").residues == SEQUENCE
    assert time.process_time() - started < 2


def test_the_same_entry_twice_is_read_once() -> None:
    assert len(read_fasta(f">a\n{SEQUENCE}\n>a\n{SEQUENCE}\n>a\nM{SEQUENCE}\n")) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no sequence"),
        ("hello there", "is no FASTA"),
        (">a\n>b\nMKV", "has no residues"),
        (">\nMKV", "without a name"),
        (">a\nMK1V", "is no protein"),
        (">a\n" + "ACGT" * 10, "nucleotide"),
        (">a\n" + "M" * 40_001, "at most 40,000"),
        (">a\n" + "M" * MOST_CHARACTERS, "over 100 MB"),
    ],
    ids=["empty", "prose", "no residues", "no name", "digits", "nucleotides", "long", "large"],
)
def test_what_is_no_protein_is_refused_in_a_sentence(text: str, told: str) -> None:
    with pytest.raises(SequenceError, match=told):
        read_fasta(text, "a.fasta")
