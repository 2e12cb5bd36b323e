# Two commands matter: `make run` and `make test`. Both set up what is missing, once, and say so.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.ONESHELL:
.DEFAULT_GOAL := help
.PHONY: help run build dev test bench torture

TOOLS := $(or $(COLLOQUY_TOOLS),$(HOME)/.cache/colloquy/tools)
CACHE := $(or $(CARGO_TARGET_DIR),target)
export PATH := $(TOOLS)/bin:$(TOOLS)/node_modules/.bin:$(PATH)
export CARGO_TERM_PROGRESS_WHEN := never

help: ## what there is to make
	@grep -E '^[a-z]+:.*##' Makefile | sed 's/:.*##/\t/' | expand -t 10

run: build ## serve http://127.0.0.1:3000 on SQLite and, without a key, the rehearsal model
	exec target/release/colloquy

build: ## target/release/colloquy and target/site
	@scripts/setup
	scripts/build

dev: ## rebuild and reload on every change
	@scripts/setup
	cargo leptos watch --split

test: ## format, lints, Rust tests, browser tests on the release build
	@scripts/setup --tests
	scripts/test

torture: build ## kill the server at every point there is
	cargo test --test server at_every_point -- --ignored --nocapture

bench: build ## the benchmark table; what is not installed is left out
	@scripts/setup --tests || echo "bench: goes on without what is missing"
	# Thousands of connections are open at once.
	ulimit -n "$$(ulimit -Hn)"
	cargo bench --quiet --bench table
	node end2end/budget.mjs --chunks || true
	node end2end/bench/crates.mjs "$(CACHE)"
