"""The encoder: unit vectors that do not depend on the company they are encoded in."""

from __future__ import annotations

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from clew.database.connection import Database
from clew.embedding import BUILT_IN, Embedder, OpenVinoEmbedder, load_embedder, local_folder
from clew.errors import EmbedderError
from clew.knowledge_base import KnowledgeBase
from clew.settings import Settings, load_settings

TEXTS = [
    "The Old Maren Light was designed by Ruben Calloway and first lit on 1 October 1809.",
    "ansby school of optics",
    "x",
    "",
    "漢字 and 🜂 and Łódź",
    "The harbour master wrote down every ship that passed the reef in fog. " * 40,
    *(f"Keeper {i} lit the lamp of tower {i % 7} in {1800 + i}." + " It burned on." * (i % 9) for i in range(60)),
]


def settings(**options: object) -> Settings:
    return load_settings(_env_file=None, **options)


@pytest.fixture(scope="module")
def f32() -> Embedder:
    return load_embedder(settings(precision="f32"))


@pytest.fixture(scope="module")
def int8() -> Embedder:
    return load_embedder(settings(precision="int8"))


@pytest.fixture(scope="module")
def built_in_folder() -> Path:
    folder = local_folder(BUILT_IN)
    assert folder is not None
    return folder


@pytest.mark.parametrize("precision", ["f32", "int8"])
def test_rows_have_unit_length(precision: str, request: pytest.FixtureRequest) -> None:
    embedder: Embedder = request.getfixturevalue(precision)
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimensions) == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
    assert (embedder.name, embedder.precision) == (BUILT_IN, precision)


def test_no_texts_give_no_rows(f32: Embedder) -> None:
    assert f32.embed([]).shape == (0, 384)


def test_a_text_alone_is_the_text_in_a_batch(f32: Embedder) -> None:
    alone = np.concatenate([f32.embed([text]) for text in TEXTS])
    np.testing.assert_allclose(alone, f32.embed(TEXTS), atol=1e-3)
    np.testing.assert_allclose(f32.embed(TEXTS[::-1])[::-1], f32.embed(TEXTS), atol=1e-3)


def test_int8_points_where_f32_points(f32: Embedder, int8: Embedder) -> None:
    cosines = (f32.embed(TEXTS) * int8.embed(TEXTS)).sum(axis=1)
    assert cosines.mean() > 0.998
    assert cosines.min() > 0.99


def test_f32_is_what_sentence_transformers_gives(built_in_folder: Path, tmp_path: Path) -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers", reason="the extra `encoders`")
    reference = sentence_transformers.SentenceTransformer(str(built_in_folder), device="cpu")
    expected = reference.encode(TEXTS[:20], normalize_embeddings=True, show_progress_bar=False)
    built = load_embedder(settings(precision="f32", cache=tmp_path))
    np.testing.assert_allclose(built.embed(TEXTS[:20]), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize(("kind", "pooling"), [("bert", "cls"), ("roberta", "mean"), ("xlm-roberta", "cls")])
def test_another_network_is_what_sentence_transformers_gives(
    kind: str, pooling: str, built_in_folder: Path, tmp_path: Path
) -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers", reason="the extra `encoders`")
    _random_model(tmp_path / "model", kind, pooling, built_in_folder)
    encoder = load_embedder(settings(embedder=str(tmp_path / "model"), precision="f32", cache=tmp_path))
    assert isinstance(encoder, OpenVinoEmbedder)
    reference = sentence_transformers.SentenceTransformer(str(tmp_path / "model"), device="cpu")
    expected = reference.encode(TEXTS[:8], normalize_embeddings=True, show_progress_bar=False)
    np.testing.assert_allclose(encoder.embed(TEXTS[:8]), expected, rtol=0, atol=1e-5)


def test_a_network_that_is_not_built_runs_on_sentence_transformers(built_in_folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="the extra `encoders`")
    _random_model(tmp_path / "model", "distilbert", "mean", built_in_folder)
    encoder = load_embedder(settings(embedder=str(tmp_path / "model"), precision="f32", cache=tmp_path))
    assert not isinstance(encoder, OpenVinoEmbedder)
    np.testing.assert_allclose(np.linalg.norm(encoder.embed(TEXTS[:3]), axis=1), 1, atol=1e-3)


def test_a_folder_as_sentence_transformers_saves_it_now(built_in_folder: Path, tmp_path: Path) -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers", reason="the extra `encoders`")
    _random_model(tmp_path / "model", "bert", "cls", built_in_folder)
    (tmp_path / "model" / "sentence_bert_config.json").write_text("{}")
    reference = sentence_transformers.SentenceTransformer(str(tmp_path / "model"), device="cpu")
    reference.save(str(tmp_path / "saved"))
    encoder = load_embedder(settings(embedder=str(tmp_path / "saved"), precision="f32", cache=tmp_path))
    assert isinstance(encoder, OpenVinoEmbedder)
    expected = reference.encode(TEXTS[:8], normalize_embeddings=True, show_progress_bar=False)
    np.testing.assert_allclose(encoder.embed(TEXTS[:8]), expected, rtol=0, atol=1e-5)


def test_no_text_is_longer_than_the_network_has_places(built_in_folder: Path, tmp_path: Path) -> None:
    """RoBERTa's first token has place 2, so that its 130 places hold 128 tokens."""
    pytest.importorskip("transformers", reason="the extra `encoders`")
    _random_model(tmp_path / "model", "roberta", "mean", built_in_folder)
    (tmp_path / "model" / "sentence_bert_config.json").write_text("{}")
    (tmp_path / "model" / "tokenizer_config.json").unlink()
    encoder = load_embedder(settings(embedder=str(tmp_path / "model"), precision="f32", cache=tmp_path))
    first, longer = encoder.embed(["fog " * 126, "fog " * 400])
    np.testing.assert_array_equal(first, longer)


@pytest.mark.parametrize("included", [True, False])
def test_a_prompt_that_the_folder_wants_before_each_text(included: bool, built_in_folder: Path, tmp_path: Path) -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers", reason="the extra `encoders`")
    _random_model(tmp_path / "model", "bert", "mean", built_in_folder)
    plain = load_embedder(settings(embedder=str(tmp_path / "model"), precision="f32", cache=tmp_path))
    without, wanted = plain.embed(TEXTS[:2]), plain.embed([f"query: {text}" for text in TEXTS[:2]])
    told = {"prompts": {"query": "query: ", "passage": "passage: "}, "default_prompt_name": "query"}
    (tmp_path / "model" / "config_sentence_transformers.json").write_text(json.dumps(told))
    pooling = tmp_path / "model" / "1_Pooling" / "config.json"
    pooling.write_text(json.dumps(json.loads(pooling.read_text()) | {"include_prompt": included}))
    encoder = load_embedder(settings(embedder=str(tmp_path / "model"), precision="f32", cache=tmp_path))
    assert isinstance(encoder, OpenVinoEmbedder) == included
    found = encoder.embed(TEXTS[:2])
    if included:
        np.testing.assert_array_equal(found, wanted)
    reference = sentence_transformers.SentenceTransformer(str(tmp_path / "model"), device="cpu")
    expected = reference.encode(TEXTS[:2], normalize_embeddings=True, show_progress_bar=False)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
    assert np.abs(found - without).max() > 1e-3


def _random_model(folder: Path, kind: str, pooling: str, built_in: Path) -> None:
    """An encoder of a kind, with random weights and the built-in tokenizer."""
    from transformers import AutoConfig, AutoModel

    shutil.copytree(built_in, folder)
    shape = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
    tokens = {"vocab_size": 30_522, "max_position_embeddings": 130, "pad_token_id": 1 if "roberta" in kind else 0}
    if kind == "distilbert":
        shape = {"dim": 64, "n_layers": 2, "n_heads": 4, "hidden_dim": 128}
    AutoModel.from_config(AutoConfig.for_model(kind, **shape, **tokens)).save_pretrained(folder)
    modes = {"mean": "pooling_mode_mean_tokens", "cls": "pooling_mode_cls_token"}
    told = {"word_embedding_dimension": 64} | {key: name == pooling for name, key in modes.items()}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(told))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 120, "do_lower_case": False}))


def test_meaning_is_near(f32: Embedder) -> None:
    query, near, far = f32.embed(["Who designed the lighthouse?", TEXTS[0], "Bread is baked in an oven."])
    assert query @ near > query @ far


def test_threads_may_share_it(int8: Embedder) -> None:
    jobs = [TEXTS, TEXTS[::-1], TEXTS[:1], [], TEXTS[5:20]] * 3
    expected = [int8.embed(job) for job in jobs]
    with ThreadPoolExecutor(2) as pool:
        for found, wanted in zip(pool.map(int8.embed, jobs), expected, strict=True):
            np.testing.assert_allclose(found, wanted, atol=1e-6)


def _flip(file: Path) -> None:
    """Damage one byte in the middle; size and time stay."""
    told = file.stat()
    with file.open("r+b") as opened:
        opened.seek(told.st_size // 2)
        byte = opened.read(1)[0]
        opened.seek(told.st_size // 2)
        opened.write(bytes([byte ^ 0x40]))
    os.utime(file, ns=(told.st_atime_ns, told.st_mtime_ns))


@pytest.mark.parametrize("part", ["model.safetensors", "tokenizer.json"])
def test_a_damaged_built_in_encoder_is_told(
    part: str, built_in_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(built_in_folder, folder)
    _flip(folder / part)
    monkeypatch.setattr("clew.embedding.local_folder", lambda name: folder)
    with pytest.raises(EmbedderError, match=rf"is damaged \(.*{part} .*pip install"):
        load_embedder(settings(precision="f32", cache=tmp_path / "cache"))
    assert not (tmp_path / "cache" / "encoders").exists() or not list((tmp_path / "cache").rglob("model.xml"))


def test_a_damaged_conversion_is_made_again(tmp_path: Path) -> None:
    own = settings(precision="f32", cache=tmp_path)
    vectors = load_embedder(own).embed(TEXTS[:5])
    (made,) = tmp_path.rglob("model.bin")
    written = made.read_bytes()
    _flip(made)
    np.testing.assert_array_equal(load_embedder(own).embed(TEXTS[:5]), vectors)
    assert made.read_bytes() == written


def test_a_folder_is_an_encoder(built_in_folder: Path, f32: Embedder) -> None:
    from_folder = load_embedder(settings(embedder=str(built_in_folder), precision="f32"))
    assert from_folder.name == str(built_in_folder)
    np.testing.assert_array_equal(from_folder.embed(TEXTS[:2]), f32.embed(TEXTS[:2]))


def test_a_folder_is_known_by_its_whole_path(
    built_in_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").symlink_to(built_in_folder)
    monkeypatch.chdir(tmp_path)
    assert settings(embedder="mine").embedder == settings(embedder="./mine").embedder == str(tmp_path / "mine")
    (tmp_path / BUILT_IN).mkdir()
    assert settings().embedder == settings(embedder=BUILT_IN).embedder == BUILT_IN
    assert settings(embedder="no-such/encoder").embedder == "no-such/encoder"


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match=r"There is no folder .*gone.*CLEW_EMBEDDER.*clew reindex"):
        load_embedder(settings(embedder=str(tmp_path / "gone")))


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match=r"holds no encoder.*CLEW_EMBEDDER"):
        load_embedder(settings(embedder=str(tmp_path)))


def test_a_folder_with_a_broken_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(EmbedderError, match="cannot be"):
        load_embedder(settings(embedder=str(tmp_path)))


@pytest.mark.parametrize("part", ["modules.json", "tokenizer.json", "config.json", "model.safetensors"])
def test_a_folder_with_a_part_that_is_cut_off(part: str, built_in_folder: Path, tmp_path: Path) -> None:
    for file in built_in_folder.iterdir():
        if file.name != part:
            (tmp_path / file.name).symlink_to(file)
    (tmp_path / part).write_bytes((built_in_folder / part).read_bytes()[:100])
    with pytest.raises(EmbedderError, match=r"encoder .*cannot be (loaded|converted)"):
        load_embedder(settings(embedder=str(tmp_path), cache=tmp_path / "cache"))


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(EmbedderError, match=r"cannot be kept in .*cache \(Not a directory\).*CLEW_CACHE"):
        load_embedder(settings(cache=tmp_path / "cache"))


def test_a_device_that_is_not_there() -> None:
    with pytest.raises(EmbedderError, match=r"cannot be loaded on abacus .*CLEW_DEVICE to cpu"):
        load_embedder(settings(device="abacus"))


def test_an_unknown_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(EmbedderError, match=r"'no-such/encoder' cannot be loaded.*CLEW_EMBEDDER"):
        load_embedder(settings(embedder="no-such/encoder"))


def test_a_name_that_no_setting_has_is_asked_of_no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr("socket.getaddrinfo", lambda *where, **_: asked.append(where))
    base = KnowledgeBase("base", cast("Database", None), settings())
    with pytest.raises(EmbedderError, match="'no-such/encoder' cannot be loaded"):
        base._load({"embedder": "no-such/encoder", "dimensions": 3})
    assert asked == []


def test_an_encoder_may_go_right_after_its_last_batch() -> None:
    """Its threads must be done with the interpreter by then."""
    texts = [f"Keeper {i} lit the lamp." for i in range(200)]
    for _ in range(3):
        assert len(load_embedder(settings(precision="f32", embed_tokens=256)).embed(texts)) == 200
