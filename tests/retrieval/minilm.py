"""The real encoder for tests, made once, or a skip where its weights are not installed."""

from functools import cache

from retrieval.embed.minilm import MiniLM
from retrieval.errors import WeightsError
from tests.support.services import missing


@cache
def minilm() -> MiniLM:
    try:
        return MiniLM()
    except WeightsError as error:
        missing("weights", str(error))
        raise
