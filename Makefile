# All commands of the project. `make` without a target lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.run
DEV := $(VENV)/.dev
UV := sh scripts/uv
# Before the first shell runs: make 4.4 exports variables to $(shell), and would run a command in a file's name.
unexport BACKUP
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# If the home directory is not writable, pip, uv and npm keep their downloads here.
ifneq (,$(shell c="$${XDG_CACHE_HOME:-$$HOME/.cache}"; mkdir -p "$$c" 2>&1 && [ -w "$$c" ] || echo none))
export XDG_CACHE_HOME := $(CURDIR)/$(VENV)/cache
export npm_config_cache := $(XDG_CACHE_HOME)/npm
endif
# Tests start hundreds of processes. Without .pyc files each would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup run backup restore up-backup up-restore check test-fast test test-all lint format demo transcripts bench bench-peer bench-players check-players attack faults bot-faults ppo memory peers verify locale openapi diagrams licences art pictures up roll up-doctor admin down logs lock clean web screenshots programs-run programs-lint programs-check programs-test programs-pictures test-bare test-compose doctor settings docs release

help:  # lists the targets that have a comment with two signs, under their headings
	@awk -F ':.*## ' '/^##@ / {print "\n" substr($$0, 5)} /^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# A virtual environment holds the paths of its folder and of its interpreter. If one has changed, it is made again.
MOVED := $(shell case "$$(cat $(VENV)/pyvenv.cfg 2>&1)" in \
	(*"executable = $$([ -x $(BIN)/python ] && readlink -f $(BIN)/python || echo none)"*" $$(pwd -P)/$(VENV)") ;; (*) echo moved ;; esac)
.PHONY: moved
moved:

$(BIN)/uv: requirements/uv.txt $(MOVED)
	@PYTHON='$(PYTHON)' sh scripts/make-venv $(VENV)
	@touch $@

# The value of BACKUP, quoted as one word for the shell.
FILE = $(if $(value BACKUP),'$(subst ','\'',$(value BACKUP))')

INSTALL = $(UV) pip install --quiet --python $(BIN)/python

$(RUN): requirements/run.txt $(BIN)/uv  # packages of the services and the terminal
	@echo "Installing the pinned packages…"
	@$(INSTALL) --require-hashes -r requirements/run.txt
	@$(INSTALL) --no-deps --no-index --no-build-isolation --editable .
	@# Relative, because Python 3.11 reads .pth files in the locale's encoding, which may lack letters of the full path.
	@printf '../../../..\n../../../../shared\n' >"$$(echo $(VENV)/lib/python3*/site-packages/_locanda.pth)"
	@touch $@

$(DEV): requirements/dev.txt $(RUN)  # and packages of tests and checks
	@echo "Installing what tests and checks need, in a minute…"
	@$(INSTALL) --compile-bytecode --require-hashes -r requirements/dev.txt
	@touch $@

# Before all else, these install the programs of scripts/programs.txt, or report those missing. The rest
# goes on without them.
programs-run:
	@sh scripts/install-programs run || echo "Without redis-server, games last as long as the process."
programs-lint programs-check programs-test:
	@sh scripts/install-programs $(@:programs-%=%) || true
programs-pictures:
	@sh scripts/install-programs pictures

##@ To play and to host

run: programs-run $(RUN)  ## Serve http://127.0.0.1:8080, and the bot if TELEGRAM_TOKEN is set
	@$(BIN)/python -m services

setup: $(RUN)  ## Install what running needs into .venv, as make run does by itself

doctor: $(RUN)  ## Check Redis, engine, public address and bot, and report what is wrong
	@$(BIN)/python -m services.doctor

backup: programs-run $(RUN)  ## Save the games of make run, into var/backups or BACKUP=file.tar
	@$(BIN)/python -m services.local_redis save $(FILE)

restore: programs-run $(RUN)  ## Restore them while make run is stopped: BACKUP=file.tar [FORCE=1]
	@FORCE=$(FORCE) $(BIN)/python -m services.local_redis load $(or $(FILE),$(error Say which: make restore BACKUP=file.tar))

VERIFIED = $(or $(PROOF),$(error Say which: make verify PROOF=proof.json COMMITMENT=64hex CLIENT_SEED=0=text))
verify:  ## Check the proof of a deal: PROOF=proof.json COMMITMENT=64hex CLIENT_SEED=0=text ENGINE=url
	@$(firstword $(wildcard $(BIN)/python) $(PYTHON)) shared/locanda/verify '$(VERIFIED)' \
		$(if $(COMMITMENT),'--commitment=$(COMMITMENT)') $(if $(CLIENT_SEED),'--client-seed=$(CLIENT_SEED)') \
		$(if $(BEFORE),'--before=$(BEFORE)') $(if $(ENGINE),'--engine=$(ENGINE)')

demo: $(DEV)  ## Watch friends play a match in a chat: GAME=presidente LANG=en ALONE=1; needs no token
	@$(BIN)/python -m tests.demo $(if $(GAME),--game=$(GAME)) $(if $(filter it en,$(LANG)),--language=$(LANG)) $(if $(ALONE),--alone)

##@ To host with docker compose

# .env sets the profiles (COMPOSE_PROFILES) and the number of engines (ENGINES).
up:  ## Start redis, engines and bot with docker compose, as .env says
	@for name in REDIS_PASSWORD ENGINE_ACCOUNTS_KEY; do grep -qs "^$$name=." .env || (umask 077 && \
		printf '\n%s=%s\n' $$name "$$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')" >> .env); done
	sh scripts/compose build --quiet
	sh scripts/compose up --detach --remove-orphans

roll: ## Replace them with this release, engine by engine, while people play
	sh scripts/compose-roll

up-doctor:  ## Report what is wrong with them, and what to do
	@sh scripts/compose-doctor

admin:  ## Administer them: ADMIN='tables --status playing'; ADMIN=-h lists the commands
	@docker compose exec --no-TTY --env LOCANDA_SERVER=http://engine:8080 engine python -m locanda.admin $(or $(ADMIN),-h)

down:  ## Stop all of them; the games stay in the volume
	docker compose --profile '*' down --remove-orphans

logs:  ## Follow their logs
	docker compose logs --follow

up-backup:  ## Save the games of docker compose, into var/backups or BACKUP=file.tar
	@sh scripts/compose-backup save $(FILE)

up-restore:  ## Restore them: BACKUP=file.tar [FORCE=1]
	@FORCE=$(FORCE) sh scripts/compose-backup load $(or $(FILE),$(error Say which: make up-restore BACKUP=file.tar))

##@ To develop

check:  ## Lint and run the fast tests at the same time: for every commit
	@$(MAKE) --no-print-directory -j2 lint test-fast

test-fast: programs-check $(DEV)
	@HYPOTHESIS_PROFILE=fast $(BIN)/python -m pytest -q -n auto --maxschedchunk=20 -m 'not slow' --randomly-seed=1

TESTS = not long and not costly
test: programs-test $(DEV) web  ## Run the tests, in some five minutes
	@$(BIN)/python -m pytest -n auto -m "$(TESTS)" --randomly-seed=1

test-all: programs-test $(DEV) web  ## Also tests that kill processes, build packages, draw every screen; whole sweeps
	@HYPOTHESIS_PROFILE=full $(BIN)/python -m pytest -n auto

lint: programs-lint $(DEV)  ## Check style, types and which module may import which
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy
	@contracts=$$($(BIN)/lint-imports --no-logo 2>&1) || { echo "$$contracts"; exit 1; }
	@scripts/lint-web

web:  # npm packages for the tests of the page; lint checks its types
	@scripts/lint-web install || true

format: $(DEV)  ## Format the code
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

screenshots: programs-pictures $(DEV) web  ## Make a picture of every screen of the page, into var/screenshots
	@$(BIN)/python -m tests.web.screenshots $(SCENES)

pictures: programs-pictures $(DEV)  ## Make the README's pictures, from tables of this page
	@$(BIN)/python -m tests.web.screenshots --docs

transcripts: $(DEV)  ## Rewrite the transcripts of matches, after a change of texts or screens
	@$(BIN)/python -m tests.demo --write
	@for match in "briscola it" "briscola en --alone" "scopa en" "scopa it --alone" "tressette it" "tressette en --alone"; do \
		set -- $$match; PYTHONPATH="$$($(BIN)/python -m tests.example_games $$1)" \
			$(BIN)/python -m tests.demo --write --game $$1 --language $$2 $$3 || exit 1; \
	done

locale: $(DEV)  ## Collect the texts to translate: a game's into its folder, all others into shared/locanda/locale
	@PYTHONPATH=shared $(BIN)/python scripts/collect_texts.py

openapi: $(DEV)  ## Write services/engine/openapi.json, docs/problems.md, and the clients' literals and calls from the code
	@PYTHONPATH=.:shared $(BIN)/python scripts/literals.py
	@$(BIN)/python -m services.engine.http.document
	@PYTHONPATH=.:shared $(BIN)/python scripts/client_calls.py
	@PYTHONPATH=.:shared $(BIN)/python scripts/javascript_calls.py

settings: $(DEV)  ## Write docs/settings.md from the code
	@PYTHONPATH=.:shared $(BIN)/python scripts/settings.py

docs: $(DEV)  ## Build the documents as a site in var/site; fails at a dead link
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

diagrams: programs-lint $(DEV)  ## Draw the site's diagrams from the Mermaid in the documents
	@$(BIN)/python scripts/diagrams.py

licences: $(DEV)  ## Write docs/licences.md, the contents of the images, from the pinned packages
	@$(BIN)/python scripts/licences.py

art: $(DEV)  ## Draw the cards into services/web/art, and preview pages into var/art
	@PYTHONPATH=.:shared $(BIN)/python -m art

##@ To measure and to stress

bench: programs-pictures $(DEV)  ## Measure games and service; after make peers, other engines too
	@$(BIN)/python -m tests.bench.playouts
	@$(BIN)/python -m tests.bench.service
	@$(BIN)/python -m tests.bench.capacity
	@$(BIN)/python -m tests.bench.page
	@$(BIN)/python -m tests.bench.bot_groups --page

bench-peer: programs-pictures $(DEV)  ## Measure moves beside boardgame.io's, with Node: ROUNDS=10; into docs/benchmarks.md
	@cd tests/bench/peer && npm ci --silent --no-audit --no-fund
	@$(BIN)/python -m tests.bench.peer_rounds $(or $(ROUNDS),10)

bench-players: $(DEV)  ## Let computer players play one another: MINUTES=60 ONLY='ramino hard'; writes docs/players.md
	@$(BIN)/python -m tests.bench.players $(or $(MINUTES),60) $(ONLY)

check-players: $(DEV)  ## Check the computer players' guarantees in 10,000 deals: CHECK='--reasons 10000 --reviews 20'
	@$(BIN)/python -m tests.bench.check_players $(CHECK)

attack: programs-run $(DEV)  ## Attack an engine for two minutes, and report the result (docs/faults.md)
	@$(BIN)/python -m tests.bench.attacks

faults: programs-run $(DEV)  ## Play while everything fails, and count what is lost (docs/faults.md)
	@HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -q -s --timeout=0 tests/e2e/fault_campaign

bot-faults: programs-run $(DEV)  ## The same in chats while Telegram fails too (MATCHES=16), then one person against all others
	@$(BIN)/python -m tests.bench.bot_faults --matches $(or $(MATCHES),16) --seed $(or $(SEED),1)
	@$(BIN)/python -m tests.bench.bot_attacks

PPO = var/ppo
TUTORIAL = https://raw.githubusercontent.com/Farama-Foundation/PettingZoo/761353e6a9d29cb3c6b88232e50ee036f94b08fd/tutorials/SB3/connect_four/sb3_connect_four_action_mask.py

ppo: $(PPO)/tutorial.py $(PPO)/installed  ## Train MaskablePPO on a game by PettingZoo's tutorial (5 GB, minutes): GAME=ramino
	@cd $(PPO) && PYTHONPATH='$(CURDIR)/shared' bin/python '$(CURDIR)/examples/masked_ppo.py' tutorial.py $(or $(GAME),presidente)

$(PPO)/tutorial.py:
	@mkdir -p $(PPO)
	@curl --fail --silent --show-error --location --output $@ $(TUTORIAL)

$(PPO)/installed: requirements/ppo.txt $(BIN)/uv
	@$(UV) venv --quiet --allow-existing --python $(BIN)/python $(PPO)
	@$(UV) pip install --quiet --python $(PPO)/bin/python --require-hashes -r requirements/ppo.txt
	@touch $@

memory: programs-run $(DEV)  ## Check an engine's memory under odd requests and finished tables
	@$(BIN)/python -m tests.bench.memory

peers: $(DEV)  ## Install RLCard, OpenSpiel and valkey-glide, for bench to compare with
	@$(INSTALL) --require-hashes -r requirements/bench.txt

test-bare:  ## Run both commands of the README on a bare Debian 12 and 13, in an hour: SUITES=trixie
	@sh scripts/test-bare $(SUITES)

test-compose: $(DEV)  ## Test docker compose on a Docker Engine: kills, upgrades, backups during play
	@$(BIN)/python -m tests.deploy.live

##@ To maintain

COMPILE = $(UV) pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
	--no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock'
CLIENTS_AND_SERVICES = pyproject.toml --extra terminal --group engine --group telegram --group embedded

lock: $(BIN)/uv  ## Pin the newest packages that pyproject.toml allows
	@$(COMPILE) $(CLIENTS_AND_SERVICES) --extra env --extra mcp --group dev -o requirements/dev.txt
	@$(COMPILE) $(CLIENTS_AND_SERVICES) --group run -c requirements/dev.txt -o requirements/run.txt
	@$(COMPILE) pyproject.toml --group engine -c requirements/dev.txt -o requirements/engine.txt
	@$(COMPILE) pyproject.toml --group telegram -c requirements/dev.txt -o requirements/telegram.txt
	@$(COMPILE) pyproject.toml --group bench -c requirements/dev.txt -o requirements/bench.txt
	@$(COMPILE) pyproject.toml --extra env --group ppo -c requirements/dev.txt -o requirements/ppo.txt
	@$(COMPILE) --group setup -o requirements/uv.txt

release: $(DEV)  ## Make a release: make release VERSION=1.2.3
	@sh scripts/test-bare
	@$(BIN)/python scripts/release.py '$(or $(VERSION),$(error Say which: make release VERSION=1.2.3))'

clean:  ## Remove the virtual environment and the caches; games in var/ stay
	rm -rf $(VENV) node_modules services/web/api.d.ts .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
