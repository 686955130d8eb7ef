"""Files of settings: which of them are read, and what each of them may say.

The folder that Clew is started from may be anyone's: a download, a share, a repository. So its ``.env`` is not read,
unless it is that of this project's own checkout. A file that is named on the command line, or in ``CLEW_ENV_FILE``, is
read. Neither may name programs, nor an address for a key that it does not hold itself: the file in the user's
configuration folder may, and so may the environment.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clew.errors import SettingsError

VARIABLE = "CLEW_ENV_FILE"
"""The environment variable that names a file of settings; children inherit it."""

PROGRAMS = ("java", "java_options", "home", "cache")
"""Settings that say what is run: Java, what it loads besides, and the folders of Neo4j's plugins and jars."""

KEYS = {"neo4j_uri": "neo4j_password", "neo4j_ca": "neo4j_password", "llm_base_url": "llm_api_key"}
"""Settings that say where a key goes, and the key."""

_MOST_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class EnvFile:
    """A file of settings; ``trusted`` is the one that may say everything."""

    path: Path
    trusted: bool = False


def own_file() -> Path:
    """The user's file of settings, in the folder where the system keeps configuration."""
    import platformdirs

    return Path(platformdirs.user_config_dir("clew", appauthor=False)) / ".env"


def env_files() -> list[EnvFile]:
    """The files that are read, the one that wins first. Raises SettingsError for a named file that is not there."""
    found = []
    if named := os.environ.get(VARIABLE):
        path = Path(named).expanduser()
        if not path.is_file():
            raise SettingsError(f"There is no file of settings {named}: correct --env-file or {VARIABLE}.")
        same = own_file().exists() and path.samefile(own_file())
        found.append(EnvFile(path, trusted=same))
    elif in_checkout() and Path(".env").is_file():
        found.append(EnvFile(Path(".env").absolute()))
    if own_file().is_file():
        found.append(EnvFile(own_file(), trusted=True))
    return found


def use(path: str) -> None:
    """Read this file of settings from now on, in this process and those that it starts."""
    os.environ[VARIABLE] = str(Path(path).expanduser().absolute())


def in_checkout() -> bool:
    """Whether the current directory is the checkout of this project that the running code lies in."""
    root = Path(__file__).resolve().parents[2]
    try:
        return (root / "pyproject.toml").is_file() and Path.cwd().resolve() == root
    except OSError:  # the current directory is gone
        return False


def passed_over() -> str:
    """One line about a ``.env`` of the current directory that speaks of Clew's settings and is not read; else empty."""
    try:
        if os.environ.get(VARIABLE) or in_checkout() or not Path(".env").is_file():
            return ""
        with Path(".env").open("rb") as file:
            content = file.read(_MOST_BYTES)
    except OSError:
        return ""
    if not re.search(rb"^\s*(export\s+)?(CLEW|NEO4J|OPENAI)_", content, re.MULTILINE | re.IGNORECASE):
        return ""
    return f"the file .env of this folder is not read; if it is yours, add --env-file .env or move it to {own_file()}."


def read(file: EnvFile) -> dict[str, str]:
    """What the file sets, by variable in capitals; what is empty is not set, and no other variable is put in.

    Raises SettingsError where it cannot be read.
    """
    from dotenv import dotenv_values

    try:
        text = file.path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The file {file.path} cannot be read ({error}): save it as UTF-8, readable by you."
        ) from error
    found = dotenv_values(stream=io.StringIO(text), interpolate=False)
    return {name.upper(): value for name, value in found.items() if value}


def settings_of(files: list[EnvFile], names: Mapping[str, tuple[str, ...]], taken: set[str]) -> dict[str, str]:
    """What ``files`` set, by setting; ``names`` are the variables of each, ``taken`` the settings that are set already.

    A key beside the address that it is for wins over one that is set elsewhere. Raises SettingsError where a file says
    what it may not.
    """
    environment = {name.upper() for name, value in os.environ.items() if value}
    elsewhere = {setting for setting, variables in names.items() if environment.intersection(variables)} | taken
    found: dict[str, str] = {}
    for file in files:
        own = _by_setting(read(file), names)
        set_before = elsewhere | found.keys()
        if not file.trusted:
            _check(file, own, names, set_before, files)
            # The address goes with the key of its own file, also where another one is set in the environment.
            for address, key in KEYS.items():
                if address in own and address not in set_before and key in own and key not in taken:
                    found[key] = own[key]
        found = {setting: value for setting, value in own.items() if setting not in set_before} | found
    return found


def _by_setting(values: Mapping[str, str], names: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The values by setting; of the variables of one, the first that is there."""
    first = {setting: [values[name] for name in variables if name in values] for setting, variables in names.items()}
    return {setting: found[0] for setting, found in first.items() if found}


def _check(
    file: EnvFile, own: Mapping[str, str], names: Mapping[str, tuple[str, ...]], before: set[str], files: list[EnvFile]
) -> None:
    for program in PROGRAMS:
        if program in own:
            raise SettingsError(
                f"{file.path} sets {names[program][0]}, which says what programs are run: "
                f"set that in the environment or in {own_file()}."
            )
    for address, key in KEYS.items():
        if address not in own or address in before or key in own:
            continue
        later = any(variable in read(other) for other in files if other.trusted for variable in names[key])
        if key in before or later:
            raise SettingsError(
                f"{file.path} sets {names[address][0]}, and the key that would go there is set elsewhere: "
                f"put {names[key][0]} into the same file, or {names[address][0]} into the environment."
            )
