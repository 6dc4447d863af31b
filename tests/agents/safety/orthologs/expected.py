"""Facts: which entries are the canonical ones of a species among the files of the development data."""

ACE2 = {
    "cynomolgus monkey": "A0A2K5X283",
    "rhesus monkey": "F7AH40",
    "marmoset": "F7CNJ6",
    "dog": "A0A8C0SH78",
    "minipig": "K7GLM4",
    "rabbit": "G1TEF4",
    "guinea pig": "",
    "hamster": "A0A1U7QTA1",
    "rat": "Q5EGZ1",
    "mouse": "Q8R0I0",
    "cat": "Q56H28",
    "cow": "Q58DD0",
    "orangutan": "Q5RFN1",
    "chimpanzee": "A0A2J8KU96",
    "ferret": "Q2WG88",
    "horse": "F6V9L3",
}
"""Of Q9BYF1_members.fasta; no guinea pig is in it."""

ACE2_TREE = {
    "cynomolgus monkey": "ENSMFAP00000043589",
    "rhesus monkey": "ENSMMUP00000076885",
    "marmoset": "ENSCJAP00000073088",
    "dog": "ENSCAFP00845042913",
    "minipig": "ENSSSCP00000028755",
    "rabbit": "ENSOCUP00000015275",
    "guinea pig": "ENSCPOP00000013557",
    "hamster": "ENSMAUP00000016335",
    "rat": "ENSRNOP00000070410",
    "mouse": "ENSMUSP00000107890",
}

DPP4 = {
    "cynomolgus monkey": "",
    "rhesus monkey": "F6VRB0",
    "marmoset": "F7IHU4",
    "dog": "",
    "hamster": "A0A075TJ59",
    "mouse": "P28843",
    "rat": "",
    "sheep": "A0A075T9L7",
    "chimpanzee": "H2R124",
    "gorilla": "G3SI68",
    "ferret": "M3XN99",
    "orangutan": "H2P7N3",
}
"""The dog's only sequence begins with 166 residues that no other species has: an expert decides."""
