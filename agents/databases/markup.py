"""XML of a database, read without entities, network and trees of any size."""

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from lxml import etree

    Element: TypeAlias = etree._Element
else:
    Element = Any


def xml_root(text: str) -> "Element":
    """The root of the XML. Raises `ValueError` for what is none."""
    from lxml import etree  # large, and most commands read no XML

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        return etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise ValueError("It is no XML.") from error
