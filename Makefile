# Everything that one does with Locanda. `make` alone lists it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help run test lint format demo bench faults memory peers verify locale openapi up down logs lock clean redis

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): requirements/dev.txt
	@echo "Setting up $(VENV) with the pinned packages…"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Locanda needs Python 3.11 or newer: make PYTHON=python3.12 …"; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --no-deps --no-index --no-build-isolation --editable .
	@touch $@

redis:
	@command -v redis-server >/dev/null || sh scripts/install-redis

run: $(READY) redis  ## Serve the API on 127.0.0.1:8080, and the bot when TELEGRAM_TOKEN is set
	@$(BIN)/python -m services

test: $(READY) redis  ## Run every test
	@$(BIN)/python -m pytest -n auto

lint: $(READY)  ## Check style, types and the seams between the rooms
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(READY)  ## Format the code
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

demo: $(READY) redis  ## Watch three people play a deal in a group chat; needs no token
	@$(BIN)/python -m tests.demo

bench: $(READY) redis  ## Measure how fast games and service are, beside others' after make peers
	@$(BIN)/python -m tests.bench.playouts
	@$(BIN)/python -m tests.bench.service

faults: $(READY) redis  ## Play many matches while everything fails, and count what is lost (docs/faults.md)
	@HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -q -s --timeout=0 -o faulthandler_timeout=0 tests/e2e/fire

memory: $(READY) redis  ## See whether the engine's memory grows under odd requests, dropped streams and finished tables
	@$(BIN)/python -m tests.bench.memory

peers: $(READY)  ## Install RLCard, OpenSpiel and valkey-glide, for bench to compare with
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements/bench.txt

verify:  ## Check the proof of a deal: make verify PROOF=proof.json
	@$(PYTHON) shared/verify.py $(or $(PROOF),$(error Say which: make verify PROOF=proof.json))

up:  ## Start redis, engine and bot with docker compose
	docker compose up --build --detach

down:  ## Stop them; the games stay in the volume
	docker compose down

logs:  ## Follow their logs
	docker compose logs --follow

LOCALE = shared/locale

locale: $(READY)  ## Collect the texts to translate into shared/locale
	@mkdir -p var
	@$(BIN)/pybabel -q extract -k N_ -k say --no-location --sort-output --omit-header -o var/locanda.pot services/telegram services/terminal shared
	@$(BIN)/pybabel -q update -D locanda -i var/locanda.pot -d $(LOCALE) --width 120 --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date

openapi: $(READY)  ## Write services/engine/openapi.json and docs/problems.md from the code
	@$(BIN)/python -m services.engine.http.openapi
	@$(BIN)/python -m services.engine.http.problem_docs

COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' pyproject.toml

lock: $(READY)  ## Pin the newest packages that pyproject.toml admits
	@$(BIN)/python -m pip install --quiet uv
	@$(COMPILE) --upgrade --extra engine -o requirements/engine.txt
	@$(COMPILE) --upgrade --extra telegram -o requirements/telegram.txt
	@$(COMPILE) --upgrade --extra engine --extra telegram --extra terminal --group dev -o requirements/dev.txt
	@$(COMPILE) --upgrade --group bench -c requirements/dev.txt -o requirements/bench.txt

clean:  ## Remove the virtual environment and the caches; games in var/ stay
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
