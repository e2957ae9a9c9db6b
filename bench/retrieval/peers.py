"""What others need for the same work: `peers.py qdrant|chroma FOLDER` or `peers.py bm25s PASSAGES` prints one line of JSON.

Times are of the processor, of all threads of the process together.
"""

import json
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

import numpy as np

QUERIES = {"qdrant": 100, "chroma": 30}


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def qdrant(folder: Path, place: str) -> dict:
    from qdrant_edge import (Distance, EdgeConfig, EdgeShard, EdgeVectorParams, FieldCondition, Filter, PayloadSchemaType, Point,
                             Query, QueryRequest, RangeFloat, SearchParams, UpdateOperation)

    shard = EdgeShard.create(place, EdgeConfig(vectors={"": EdgeVectorParams(size=384, distance=Distance.Cosine)}))
    passages, vectors, asked, truth = given(folder)
    began = time.process_time()
    for start in range(0, len(passages), 1000):
        rows = range(start, min(start + 1000, len(passages)))
        points = [Point(row, vectors[row].tolist(), {"chapter": passages[row]["chapter"]}) for row in rows]
        shard.update(UpdateOperation.upsert_points(points))
    shard.update(UpdateOperation.create_field_index("chapter", PayloadSchemaType.Integer))
    shard.flush()
    build = time.process_time() - began

    def ask(vector: np.ndarray, limit: int | None, exact: bool) -> list[str]:
        fits = None if limit is None else Filter(must=[FieldCondition("chapter", range=RangeFloat(lte=limit))])
        request = QueryRequest(
            limit=10, query=Query.Nearest(vector.tolist()), filter=fits, params=SearchParams(exact=exact)
        )
        return [passages[point.id]["id"] for point in shard.query(request)]

    works = each_filter("qdrant", asked, truth, lambda vector, limit: ask(vector, limit, True))
    return {"build_cpu_s": build, "filters": works}


def chroma(folder: Path, place: str) -> dict:
    import chromadb

    settings = {"hnsw": {"space": "cosine", "ef_construction": 128, "max_neighbors": 16, "ef_search": 128}}
    collection = chromadb.PersistentClient(place).create_collection("bench", configuration=settings)
    passages, vectors, asked, truth = given(folder)
    began = time.process_time()
    for start in range(0, len(passages), 2000):
        rows = passages[start : start + 2000]
        collection.add(
            ids=[row["id"] for row in rows],
            embeddings=vectors[start : start + 2000],
            metadatas=[{"chapter": row["chapter"]} for row in rows],
        )
    build = time.process_time() - began

    def ask(vector: np.ndarray, limit: int | None) -> list[str]:
        where = None if limit is None else {"chapter": {"$lte": limit}}
        return collection.query(query_embeddings=[vector], n_results=10, where=where, include=[])["ids"][0]

    return {"build_cpu_s": build, "filters": each_filter("chroma", asked, truth, ask)}


def given(folder: Path) -> tuple:
    passages = read(folder / "passages.jsonl")
    vectors = np.fromfile(folder / "vectors.f32", np.float32).reshape(len(passages), -1)
    asked = np.fromfile(folder / "queries.f32", np.float32).reshape(-1, vectors.shape[1])
    return passages, vectors, asked, json.loads((folder / "truth.json").read_text())


def each_filter(peer: str, asked: np.ndarray, truth: dict, ask: Callable) -> dict:
    """A peer has no books; what is asked of a book is left out."""
    works = {}
    for name, nearest in truth.items():
        if name == "book":
            continue
        limit = None if name == "all" else int(name.rsplit(" ", 1)[1])
        for vector in asked[:3]:
            ask(vector, limit)
        times, right, count = [], 0, QUERIES[peer]
        for vector, best in zip(asked[:count], nearest):
            began = time.process_time()
            found = ask(vector, limit)
            times.append((time.process_time() - began) * 1e3)
            right += len(set(found) & set(best))
        times.sort()
        works[name] = {
            "p50_ms": times[len(times) // 2],
            "p99_ms": times[(len(times) - 1) * 99 // 100],
            "recall": right / sum(len(best) for best in nearest[:count]),
        }
    return works


def bm25s(passages: Path, _: str) -> dict:
    import bm25s
    import jieba

    texts = [row["text"] for row in read(passages)]
    jieba.setLogLevel(60)
    jieba.initialize()
    began = time.process_time()
    words = [[word for word in jieba.cut_for_search(text) if re.search(r"\w", word)] for text in texts]
    cut = time.process_time() - began
    index = bm25s.BM25()
    index.index(words, show_progress=False)
    whole = time.process_time() - began
    size = sum(len(text.encode()) for text in texts) / 1e6
    return {"megabytes": size, "whole_cpu_ms": whole * 1e3, "cut_cpu_ms": cut * 1e3}


if __name__ == "__main__":
    place = tempfile.mkdtemp()
    try:
        measure = {"qdrant": qdrant, "chroma": chroma, "bm25s": bm25s}[sys.argv[1]]
        print(json.dumps(measure(Path(sys.argv[2]), f"{place}/data" if sys.argv[1] == "chroma" else place)))
    finally:
        shutil.rmtree(place, ignore_errors=True)
