"""Writes `vectors.npy`: what sentence-transformers makes of `texts.json`. Run where it is installed.

python write.py FOLDER_OF_WEIGHTS
"""

import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent

if __name__ == "__main__":
    from sentence_transformers import SentenceTransformer

    texts = json.loads((HERE / "texts.json").read_text("utf-8"))
    vectors = SentenceTransformer(sys.argv[1]).encode(texts, normalize_embeddings=True)
    np.save(HERE / "vectors.npy", vectors.astype(np.float32))
