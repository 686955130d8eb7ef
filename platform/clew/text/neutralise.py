"""Making tags in other people's text harmless, wherever it will stand next to those of the agent's protocol."""

from __future__ import annotations

import re

TAG_NAMES = (
    *("answer", "knowledge", "query", "think"),
    *("begin_of_documents", "begin_of_query", "end_of_documents", "end_of_query"),
)
"""What the tags of every dialect are called; ``clew.agent.protocol`` writes them."""

_SPECIAL = (
    *("s", "bos", "eos", "pad", "unk", "mask", "sep", "cls", "think(?:ing)?", r"unused\d+"),
    r"(?:start|end|begin)_of_\w+",
    r"(?:tool|function)_\w+",
    r"(?:extra_id|reserved|special|fim|image|audio|video|im|turn)_\w+",
    r"function\s*=",
    r"parameter\s*=",
    r"turn\|",
    r"channel\|",
)
"""Special tokens of chat templates that stand in angle brackets without a bar, as patterns of what those hold."""
_BRACKETED = (
    "INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|CALL_ID|ARGS|THINK|PREFIX|SUFFIX|MIDDLE|IMG|"
    "IMG_BREAK|IMG_END|BEGIN_AUDIO|AUDIO|MASK|gMASK|sMASK|CLS|SEP|PAD|UNK|BOS|EOS"
)
"""Those in square brackets (Llama 2, Mistral, GLM, BERT)."""

# Characters that leave a tag readable when they stand inside it: white space, and what is not seen at all (controls,
# Unicode's Default_Ignorable_Code_Point, the marks of annotations, and the empty Braille pattern).
_HIDDEN = (
    r"\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_GAP = f"[\\s{_HIDDEN}]*+"


def _spaced(word: str) -> str:
    return _GAP.join(map(re.escape, word))


def _entity(character: str, *names: str) -> str:
    """HTML's spellings of ``character``: by name or number, with or without a semicolon, its ``&`` escaped or not."""
    zeros = f"{_GAP}(?:0{_GAP})*"
    code = ord(character)
    spellings = [*map(_spaced, names), f"#{zeros}{_spaced(f'{code}')}", f"#{_GAP}x{zeros}{_spaced(f'{code:x}')}"]
    return f"&{_GAP}(?:{_spaced('amp')}(?:{_GAP};)?{_GAP})*(?:{'|'.join(spellings)})(?:{_GAP};)?"


def _forged_tag_pattern() -> re.Pattern[str]:
    """An opening bracket in any spelling, where a tag's name or a chat template's ``<|`` follows."""
    bracket = f"(?:[<＜﹤]|{_entity('<', 'lt')})"
    slash = f"(?:[/／\\\\＼]|{_entity('/', 'sol')}|{_entity(chr(92), 'bsol')})"
    bar = f"(?:[|｜¦]|{_entity('|', 'vert', 'verbar', 'VerticalLine')})"
    return re.compile(
        f"{bracket}(?={_GAP}(?:{slash}{_GAP})*+(?:{bar}|{'|'.join(map(_spaced, TAG_NAMES))}))", re.IGNORECASE
    )


_FORGED_TAG = _forged_tag_pattern()
_SPECIAL_TOKEN = re.compile(
    rf"[<＜](?=[/／]?(?:{'|'.join(_SPECIAL)})(?:[>＞]|(?<==)))|[<＜](?=[<＜]/?SYS[>＞])|◁(?=/?think▷)"
)
_BRACKETED_TOKEN = re.compile(rf"\[(?=/?(?:{_BRACKETED})\])")

_UNSTORABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|[\ud800-\udfff]")


def neutralise(text: str) -> str:
    """Make tags of every dialect in ``text`` harmless: their opening bracket becomes the look-alike ``‹``, or ``⟦``.

    Case, white space, invisible characters and HTML's spellings of the bracket, slash and bar do not hide a tag, nor do
    the special tokens of chat templates (``<|…|>``, ``</s>``, ``<end_of_turn>``, ``[INST]``) pass, which tokenizers
    know by their exact spelling only. All other text stays as it is. Idempotent.
    """
    return _BRACKETED_TOKEN.sub("⟦", _SPECIAL_TOKEN.sub("‹", _FORGED_TAG.sub("‹", text)))


def plain_line(value: object, limit: int = 2000) -> str:
    """A text or number that somebody gave, as one line without control characters and tags; "" for anything else."""
    if not isinstance(value, str | int | float):
        return ""
    return neutralise(" ".join(_UNSTORABLE.sub(" ", str(value)[:limit]).split()))
