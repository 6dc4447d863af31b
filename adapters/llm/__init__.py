"""Language models behind the OpenAI API: any endpoint that speaks it, local or remote."""

from adapters.llm.cache import AnswerCache, FileCache, MemoryCache
from adapters.llm.model import OpenAIModel
from adapters.llm.vision import VisionOcr

__all__ = ["AnswerCache", "FileCache", "MemoryCache", "OpenAIModel", "VisionOcr"]
