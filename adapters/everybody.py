"""Who is in a channel or a group, as a platform tells it page by page: all of them, or nobody for sure."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

logger = logging.getLogger(__name__)

MOST_PAGES = 5
"""Who is on more pages is not known for sure."""
AskPage = Callable[[str], Awaitable[tuple[set[str], str]]]
"""The ids on the page that begins at a place ("": the first), and where the next one begins, if any does."""


async def everybody(page: AskPage, seconds: float, where: str) -> frozenset[str] | None:
    """The ids on all pages; None where these are too many, come too late, or are not what they should be: a
    doubt counts as no.
    """
    found: set[str] = set()
    more = ""
    try:
        async with asyncio.timeout(seconds):
            for _ in range(MOST_PAGES):
                people, more = await page(more)
                found |= people
                if not more:
                    return frozenset(found)
    except Exception as error:  # whatever it is
        logger.warning("who is in %s is not told: %s", where, type(error).__name__)
    return None
