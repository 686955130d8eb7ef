"""What requests and answers look like, where the library's own types do not say it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from clew.agent.loop import MAX_QUESTION_CHARS
from clew.agent.policies import POLICIES, check_policy
from clew.errors import for_pydantic
from clew.retrieval.filter import conditions
from clew.retrieval.registry import RECIPES, check_strategy

MOST_QUERIES = 4096
MOST_QUERY_CHARS = 2_000
MOST_K = 200
MOST_PAGE = 500
MOST_SKIP = 1_000_000


def _writable(text: str) -> str:
    """No text that neither UTF-8 nor the database can hold."""
    if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError("text may hold no NUL and no lone surrogate")
    return text


def _condition(text: object) -> object:
    """A filter's own words for what is wrong with it; the pattern is for clients and their tests."""
    if isinstance(text, str):
        conditions(text)
    return text


def _ended(text: object) -> object:
    """Without line breaks at its end, which some engines of regular expressions let stand before a ``$``."""
    return text.rstrip("\n") if isinstance(text, str) else text


Text = Annotated[str, AfterValidator(_writable)]
Query = Annotated[Text, Field(min_length=1, max_length=MOST_QUERY_CHARS)]
Question = Annotated[Text, Field(min_length=1, max_length=MAX_QUESTION_CHARS, pattern=r"\S")]
StrategyName = Annotated[
    str, AfterValidator(for_pydantic(check_strategy)), WithJsonSchema({"type": "string", "enum": list(RECIPES)})
]
PolicyName = Annotated[
    str, AfterValidator(for_pydantic(check_policy)), WithJsonSchema({"type": "string", "enum": list(POLICIES)})
]
K = Annotated[int, Field(ge=1, le=MOST_K, description="Facts that one query brings back; the settings' where missing.")]
Condition = Annotated[
    str,
    Field(
        max_length=500,
        pattern=r"^[^<>=!]*[^<>=!\s][^<>=!]*"
        r"(!=.*|=([^>\n].*)?|"
        r"(=>|[<>]=?) *([0-9]+(\.[0-9]+)?|[0-9]{4}-[0-9]{2}(-[0-9]{2}([T ][0-9]{2}:[0-9]{2}.*)?)?)| in +\S.*)$",
        description="What documents must say of themselves: author=Karin Holt, year>=2020, tags in port, fees.",
    ),
    AfterValidator(_writable),
    BeforeValidator(for_pydantic(_condition)),
    BeforeValidator(_ended),
]
Conditions = Annotated[list[Condition], Field(max_length=20, default_factory=list)]
Id = Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{1,64}$")]
Skip = Annotated[int, Field(ge=0, le=MOST_SKIP)]
Limit = Annotated[int, Field(ge=1, le=MOST_PAGE)]


def _nullable(schema: dict[str, Any]) -> None:
    """Say of whatever may be left out that it may be null, too."""
    for name, field in schema.get("properties", {}).items():
        if name not in schema.get("required", ()) and {"type": "null"} not in field.get("anyOf", ()):
            schema["properties"][name] = {"anyOf": [field, {"type": "null"}]}


class Lenient(BaseModel):
    """A body, or a part of one, in which ``null`` is as if it were left out; fields that are not known are ignored."""

    model_config = ConfigDict(json_schema_extra=_nullable)

    @model_validator(mode="before")
    @classmethod
    def _without_null(cls, given: Any) -> Any:
        return {name: value for name, value in given.items() if value is not None} if isinstance(given, dict) else given


class Body(Lenient):
    """A body whose fields are all known: a misspelt option is an error, not the default."""

    model_config = ConfigDict(extra="forbid")
