# Every target sets up what it needs first; scripts/setup returns at once when all is there.

BIN := .venv/bin
# Three processes, as some tests wait, each with whole files in our order.  PYTEST is for more
# options.  Examples are the same each time: a law that fails at random says nothing of a change.
TREES := ocaml_reward cli problem_sets trainer_plugin experiments
TESTS := $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder --hypothesis-profile=ci

.PHONY: help score test test-all test-trainers quick learn learn-pretrained lint format dist doctor docs site clean map
.DEFAULT_GOAL := help

help:   ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

score:  ## set up, then score the shipped completions
	@scripts/setup
	@$(BIN)/ocaml-reward score test_corpus/completions.jsonl

test:   ## set up, then run what protects a user, in five minutes on two cores
	@scripts/setup --dev
	$(TESTS) --level test $(PYTEST)

test-all: ## set up, then run the whole test suite
	@scripts/setup --dev
	$(TESTS) $(PYTEST)

quick:  ## set up without torch, then run the part of it that takes under a minute
	@scripts/setup --engine
	$(TESTS) -q --level quick $(PYTEST)

test-trainers: ## test with the trainers themselves, Ray and trackers of experiments
	@scripts/test-trainers

learn:  ## train tiny models with the reward and its variants, on the CPU
	@scripts/setup --dev
	$(BIN)/python -m experiments.learn

learn-pretrained:  ## train a pretrained model with the rewards; says first how long it takes here
	@scripts/setup --dev
	$(BIN)/python -m experiments.pretrained $(PRETRAINED)

site:   ## build the documentation as a site, in site/
	@scripts/setup
	@$(BIN)/python -m pip install --quiet --group docs
	$(BIN)/python -m mkdocs build --strict --quiet

lint:   ## check style, types and imports
	@scripts/setup --dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: ## rewrite the sources in the project's format
	@scripts/setup --dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

dist:   ## build wheel and sdist into dist/, the same bytes from the same commit
	@scripts/setup --dev
	$(BIN)/python scripts/dist

doctor: ## set up, then check the compiler and every sandbox
	@scripts/setup
	@$(BIN)/ocaml-reward doctor

map:    ## list every module with its first line, which says what it is for
	@find $(TREES) -name '*.py' -o -name '*.ml' -o -name '*.c' | sort | \
	  xargs grep -m1 -E '^(r?"{3}|\(\*| ?/?\*) ?[^*]' | \
	  sed -E 's/:(r?"{3}|\(\* *| ?\/?\* *)/\t/; s/("{3}| *\*\)| *\*\/)$$//' | expand -t 72

docs:   ## regenerate docs/cli.md from the commands
	@scripts/setup --dev
	$(BIN)/python docs/generate_cli.py

clean:  ## remove build results and caches, not .venv
	rm -rf build dist ./*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
