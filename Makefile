# make reproduce   set up and run the quick profile        make test    set up and test, in minutes
# make figures     set up and draw the figures             make check   all that a change must pass, as in .ci/run
# make lock        resolve the dependencies anew           make lint    formats, types, workflow, figures
# make docs        the documentation as a site, in build/site/html
# make soak        faults by the thousand, for hours; writes qa/reliability.md

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

# Without bytecode every job starts three times slower; some machines switch it off.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup reproduce figures test check lint style types docs soak lock clean

setup: $(READY)

# uv where there is one, else venv and pip: the same versions, by hash, from requirements.lock.
$(READY): requirements.lock pyproject.toml
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing --python '>=3.11' $(VENV) && \
	  uv pip sync --quiet --python $(BIN)/python --require-hashes --compile-bytecode requirements.lock && \
	  uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable . ; \
	else \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "OpChar needs Python 3.11 or newer; name one: make PYTHON=...")' && \
	  $(PYTHON) -m venv $(VENV) && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --compile --requirement requirements.lock && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . ; \
	fi
	@$(BIN)/python -m compileall -q src
	@$(BIN)/python tools/kernels.py
	@touch $@

reproduce: $(READY)
	@$(BIN)/opchar run

figures: $(READY)
	@$(BIN)/opchar run figures

test: $(READY)
	$(BIN)/python -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder

check:
	.ci/run

lint: style types

style: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint
	$(BIN)/python tools/figures.py
	$(BIN)/python tools/words.py

types: $(READY)
	$(BIN)/mypy

# The tools of the site have an environment of their own: they read the docstrings and import nothing.
DOCS := .venv-docs
$(DOCS)/ready: pyproject.toml $(READY)
	@$(BIN)/python -m venv $(DOCS)
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"], sep="\n")' > $(DOCS)/needs
	@$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $(DOCS)/needs
	@touch $@

docs: $(DOCS)/ready
	@$(BIN)/python tools/site.py build/site
	@NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --quiet --config-file build/site/mkdocs.yml
	@echo "build/site/html/index.html; its search needs a server: $(BIN)/python -m http.server --directory build/site/html"

soak: $(READY)
	@$(BIN)/python qa/soak.py

lock:
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-annotate --no-emit-index-url --upgrade --quiet --output-file requirements.lock

clean:
	rm -rf $(VENV) $(DOCS) build .snakemake .opchar logs data/raw data/features data/scores data/made
	find results -mindepth 1 ! -path results/README.md -delete
