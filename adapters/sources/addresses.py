"""Which addresses are asked: what a reply names leads to no other page of a host, and to no other site."""

import re

import httpx

ADDRESS = re.compile(r"https?://[\w.-]+(?::\d+)?(?:/[\w.~:,@+-]*)*", re.ASCII)
"""An address without parameters: what a reply names must not lead to another page of the host."""
TWO_LEVELS = ("ac", "co", "com", "edu", "gov", "net", "org")
"""Second-level domains of countries, below which sites are registered (ebi.ac.uk)."""


def is_plain(url: str) -> bool:
    """Whether an address has a host and a path of plain names alone, none of which leads upwards."""
    return bool(ADDRESS.fullmatch(url)) and ".." not in url


def stays(before: httpx.URL, after: httpx.URL) -> bool:
    """Whether a redirect stays on the same site, and does not leave encryption."""
    safe = after.scheme == "https" or (after.scheme == before.scheme and after.netloc == before.netloc)
    return safe and _site(before.host) == _site(after.host)


def _site(host: str) -> str:
    """The registered name of a host: ebi.ac.uk of www.ebi.ac.uk."""
    labels = host.casefold().split(".")
    if host.replace(".", "").isdigit():
        return host
    below = 3 if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in TWO_LEVELS else 2
    return ".".join(labels[-below:])
