"""The reranker seam: a real cross-encoder, tiny and random, over real strategies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from clew.database.connection import Database
from clew.errors import EmbedderError
from clew.knowledge_base import KnowledgeBase
from clew.retrieval.registry import create_strategy
from clew.retrieval.reranker import CrossEncoderReranker, Reranked, RerankSettings, Scores, load_reranker
from clew.settings import Settings
from clew.types import Retrieved

QUERY = "Who designed the Old Maren Light?"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder of one layer over letters, written as sentence-transformers would."""
    return tiny(tmp_path_factory.mktemp("reranker"), labels=1)


def tiny(folder: Path, labels: int) -> Path:
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import BertProcessing
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    letters = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:?'"]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *(f"##{letter}" for letter in letters)]
    tokenizer = Tokenizer(WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", model_max_length=128
    ).save_pretrained(folder)
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=128,
        num_labels=labels,
        initializer_range=1.0,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


class Longest:
    """A reranker by rule: the longer a text, the better."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, int]] = []

    def score(self, batch: Sequence[tuple[str, Sequence[str]]]) -> list[Scores]:
        self.seen += [(query, len(texts)) for query, texts in batch]
        return [np.array([len(text) for text in texts], np.float32) for _, texts in batch]


def test_a_cross_encoder_scores_each_pair(model: Path) -> None:
    reranker = CrossEncoderReranker(str(model))
    batch = [("who?", ["a light", "a lamp", "a light"]), ("where?", []), ("when?", ["a lamp" * 300])]
    first, none, long = reranker.score(batch)
    assert (len(first), len(none), len(long)) == (3, 0, 1)
    assert first[0] == pytest.approx(first[2], abs=1e-5)
    assert first[0] != pytest.approx(first[1], abs=1e-5)
    assert reranker.score([("when?", ["a lamp" * 300])])[0] == pytest.approx(long, abs=1e-5)
    assert reranker.score([]) == []


def test_the_setting_brings_its_order_to_every_strategy(
    encyclopaedia: KnowledgeBase, database: Database, settings: Settings, model: Path
) -> None:
    base = KnowledgeBase(encyclopaedia.name, database, settings.model_copy(update={"reranker": str(model), "top_k": 4}))
    base.__dict__["embedder"] = encyclopaedia.embedder
    (plain,) = encyclopaedia.retrieve(QUERY, 30, "graph-r1")
    (found,) = base.retrieve(QUERY, strategy="graph-r1")
    assert len(found.facts) == len(found.passages) == 4
    (scores,) = CrossEncoderReranker(str(model)).score([(QUERY, [fact.text for fact in plain.facts])])
    by_text = dict(zip((fact.text for fact in plain.facts), scores.tolist(), strict=True))
    assert [fact.score for fact in found.facts] == pytest.approx(sorted(by_text.values(), reverse=True)[:4], abs=1e-4)
    assert [fact.score for fact in found.facts] == pytest.approx([by_text[fact.text] for fact in found.facts], abs=1e-4)
    assert [fact.ranks["rerank"] for fact in found.facts] == [1, 2, 3, 4]
    assert all(fact.ranks.keys() & {"entities", "hyperedges"} for fact in found.facts)
    assert base.retrieve(["", QUERY], 3, "none") == [Retrieved(""), Retrieved(QUERY)]


def test_candidates_beyond_k_are_read(encyclopaedia: KnowledgeBase) -> None:
    strategy = encyclopaedia.strategy("clew-one-pass")
    (plain,) = strategy.retrieve([QUERY], 12)
    reranker = Longest()
    (found, empty) = Reranked(strategy, reranker, RerankSettings(candidates=12)).retrieve([QUERY, " "], 2)
    assert empty == Retrieved(" ")
    assert reranker.seen == [(QUERY, len(plain.facts) + len(plain.passages))]
    assert [fact.score for fact in found.facts] == sorted((len(fact.text) for fact in plain.facts), reverse=True)[:2]


def test_a_hybrid_keeps_its_numbers(encyclopaedia: KnowledgeBase) -> None:
    place = encyclopaedia.database, encyclopaedia.embedder, encyclopaedia.name
    (found,) = create_strategy("hybrid-text3-graph10", *place, reranker=Longest()).retrieve([QUERY], 5)
    assert (len(found.facts), len(found.passages)) == (10, 3)
    lengths = [len(fact.text) for fact in found.facts]
    assert lengths == sorted(lengths, reverse=True)


def test_sub_queries_are_summed_before_the_sum_is_ordered(encyclopaedia: KnowledgeBase) -> None:
    class Shortest(Longest):
        def score(self, batch: Sequence[tuple[str, Sequence[str]]]) -> list[Scores]:
            return [-scores for scores in super().score(batch)]

    hops = "Where was the designer of the Old Maren Light born?"
    place = encyclopaedia.database, encyclopaedia.embedder, encyclopaedia.name
    reranker = Shortest()
    (plain,) = create_strategy("clew-sub-queries", *place).retrieve([hops], 30)
    (found,) = create_strategy("clew-sub-queries", *place, reranker=reranker).retrieve([hops], 5)
    lengths = sorted(len(fact.text) for fact in plain.facts)
    assert [len(fact.text) for fact in found.facts] == lengths[:5]
    assert {path for fact in found.facts for path in fact.ranks} > {"rerank", "question"}
    assert {query for query, _ in reranker.seen} == {hops}


def test_what_is_no_reranker_is_told(settings: Settings, tmp_path: Path) -> None:
    assert load_reranker(settings) is None
    with pytest.raises(EmbedderError, match=r"cannot be loaded.*CLEW_RERANKER"):
        load_reranker(settings.model_copy(update={"reranker": str(tmp_path)}))
    many = tiny(tmp_path, labels=3)
    with pytest.raises(EmbedderError, match="gives 3 scores"):
        CrossEncoderReranker(str(many))
    pickled = json.loads((many / "config.json").read_text()) | {"num_labels": 1}
    (many / "config.json").write_text(json.dumps(pickled))
    (many / "model.safetensors").rename(many / "pytorch_model.bin")
    with pytest.raises(EmbedderError, match="cannot be loaded"):
        CrossEncoderReranker(str(many))
