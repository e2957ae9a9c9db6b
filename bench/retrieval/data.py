"""Makes what is searched: `data.py FOLDER PASSAGES` writes passages.jsonl, vectors.f32, queries.jsonl, queries.f32 and truth.json.

The passages are those of the invented novel, told on; the queries are questions about it. Their vectors have nothing to do with
the words: unit vectors in 1,000 clusters under 50 topics, as near each other as those of a model are (the cosine of the tenth is
about 0.64). The truth is the ten nearest by the inner product of floats, with each filter and without.
"""

import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "questions"))
from novel import Chance, tell, write  # noqa: E402

DIMENSIONS, CLUSTERS, TOPICS, QUERIES = 384, 1000, 50, 200


def main(folder: Path, count: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    passages, possible = tell(count, seed=9)
    chance = Chance(3)
    queries = [{"text": chance.one_of(possible)["question"]} for _ in range(QUERIES)]
    write(folder / "passages.jsonl", passages)
    write(folder / "queries.jsonl", queries)
    random = np.random.default_rng(7)
    centres = unit(np.repeat(unit(normal(random, TOPICS)), CLUSTERS // TOPICS, 0) + 0.9 * normal(random, CLUSTERS))
    vectors, asked = drawn(random, centres, count), drawn(random, centres, QUERIES)
    vectors.tofile(folder / "vectors.f32")
    asked.tofile(folder / "queries.f32")
    chapters = np.array([passage["chapter"] for passage in passages])
    names = np.array([passage["id"] for passage in passages])
    allowed = {
        "all": chapters > 0,
        **{f"chapter <= {limit}": chapters <= limit for limit in limits(count)},
        "book": np.arange(count) < count // 10,
    }
    truth = {}
    for name, fits in allowed.items():
        rows = np.flatnonzero(fits)
        scores = asked @ vectors[rows].T
        best = np.argsort(-scores, axis=1)[:, :10]
        truth[name] = [names[rows[row]].tolist() for row in best]
    (folder / "truth.json").write_text(json.dumps(truth))


def limits(count: int) -> tuple[int, int]:
    """The last chapters of the filters that let through 1 % and 60 %."""
    chapters = -(-count // 12)
    return chapters // 100, chapters * 6 // 10


def normal(random: np.random.Generator, count: int) -> np.ndarray:
    return random.standard_normal((count, DIMENSIONS), np.float32) / np.float32(DIMENSIONS**0.5)


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def drawn(random: np.random.Generator, centres: np.ndarray, count: int) -> np.ndarray:
    return unit(centres[random.integers(0, len(centres), count)] + 0.8 * normal(random, count))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
