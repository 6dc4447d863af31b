"""Checkpoints of a few kilobytes with weights by chance: they go through the same code as real ones.

Their scores mean nothing, but they are the same in every library that reads them.
"""

import atexit
from collections.abc import Callable
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from tokenizers import Tokenizer, decoders
from tokenizers.models import Unigram
from tokenizers.normalizers import NFKC
from tokenizers.pre_tokenizers import Metaspace
from tokenizers.processors import TemplateProcessing

MARKS = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
WORDS = """The highest dose given to beagle dogs was 30 mg/kg once daily for four weeks. Plasma exposure in
healthy men rose less than in proportion to the dose. Hepatotoxicity was seen in rats at 100 mg/kg; liver
enzymes were raised. The study was stopped for want of efficacy. Which animals had convulsions at the top
dose? The annual meeting takes place in May."""
WIDTH = 32


def tokenizer() -> Any:
    """As XLM-RoBERTa has one: pieces are words and characters, marks at both ends, two between a pair.

    Its pieces are listed, not learnt: the trainer of such tokenizers learns others in each process.
    """
    from transformers import PreTrainedTokenizerFast

    words = [(f"▁{word}", -4.0) for word in sorted(set(WORDS.split()))]
    characters = [(character, -8.0) for character in sorted(set(WORDS) - set(" \n") | {"▁"})]
    raw = Tokenizer(
        Unigram([(mark, 0.0) for mark in MARKS] + words + characters, unk_id=MARKS.index("<unk>"))
    )
    raw.normalizer, raw.pre_tokenizer, raw.decoder = NFKC(), Metaspace(), decoders.Metaspace()
    raw.post_processor = TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    names = ("bos", "pad", "eos", "unk", "mask")
    marks = {f"{name}_token": mark for name, mark in zip(names, MARKS, strict=True)}
    return PreTrainedTokenizerFast(
        tokenizer_object=raw, cls_token="<s>", sep_token="</s>", model_max_length=512, **marks
    )


def config(pieces: Any, labels: int = 1) -> Any:
    from transformers import XLMRobertaConfig

    return XLMRobertaConfig(
        vocab_size=len(pieces),
        hidden_size=WIDTH,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=2 * WIDTH,
        max_position_embeddings=514,
        type_vocab_size=1,
        num_labels=labels,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        initializer_range=0.5,
    )


@cache
def reranker(labels: int = 1) -> Path:
    """As bge-reranker-v2-m3 is: XLM-RoBERTa with a classifier."""
    from transformers import XLMRobertaForSequenceClassification

    return _saved(lambda pieces: XLMRobertaForSequenceClassification(config(pieces, labels)))


@cache
def encoder() -> Path:
    """As multilingual-e5-large is: XLM-RoBERTa without a head."""
    from transformers import XLMRobertaModel

    return _saved(lambda pieces: XLMRobertaModel(config(pieces)))


def _saved(make: Callable[[Any], Any]) -> Path:
    import torch

    folder = Path(mkdtemp(prefix="pestle-tiny-"))
    atexit.register(rmtree, folder, ignore_errors=True)
    torch.manual_seed(7)
    pieces = tokenizer()
    make(pieces).save_pretrained(folder)
    pieces.save_pretrained(folder)
    return folder
