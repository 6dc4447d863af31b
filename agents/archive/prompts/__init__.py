"""The prompts of the archive's steps, as Markdown files."""

from functools import partial
from pathlib import Path

from agents.minds import prompts

FOLDER = Path(__file__).parent
load_prompt = partial(prompts.load_prompt, folder=FOLDER)
