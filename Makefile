# What you can do here; `make` alone lists it. The work itself is in scripts/.
.DEFAULT_GOAL := help
.PHONY: help run build dist test check fmt web openapi fuzz faults planted mutants e2e bench bench-web clean

help: ## list these verbs
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## build everything and serve it with demo data on 127.0.0.1:8787 (data in ./data)
	@scripts/run

build: ## build the release binary, web app inside
	@scripts/build

dist: ## make build/baton-VERSION-ARCH-linux.tar.gz: the binary, a systemd unit, example settings, all licences
	@scripts/dist

test: ## run every check and test: web, Rust on SQLite and on Postgres, browser, API fuzzing
	@scripts/test

check: ## formatting, lints, types and dependencies only (fast, but for the first time)
	@scripts/check

fmt: ## format the Rust code
	cargo fmt --all

web: ## build the web app into web/dist
	@scripts/setup build
	@scripts/web build

openapi: ## write openapi.json from the code, and the web app's types from it
	@scripts/openapi

fuzz: ## fuzz the API for a quarter of an hour
	@scripts/setup test
	@scripts/fuzz long

faults: ## run turns on real databases that fail, SECONDS=… on each (60 unless told)
	@scripts/setup test
	@scripts/faults $(or $(SECONDS),60)

planted: ## plant known bugs one by one and see the simulation find each (long: it rebuilds every time)
	@scripts/setup test
	@scripts/planted-bugs

mutants: ## change each promise's code in one place at a time and see a test fail (hours); FILES=… for some
	@scripts/setup test
	@scripts/mutants $(FILES)

e2e: ## run the browser tests against the debug build
	@scripts/setup test
	@scripts/web build
	@cargo test --workspace --locked --no-run --quiet
	@scripts/e2e

bench: ## measure: the pure parts, and the release binary under load beside direct calls of a fake model
	@scripts/bench

bench-web: ## measure the web app: a long conversation while an answer streams in, a long table, a full board, a message on its way
	@scripts/setup test
	@scripts/bench-web
	@scripts/bench-web --table
	@scripts/bench-web --board
	@scripts/bench-web --channel

clean: ## remove everything built (never ./data)
	cargo clean
	rm -rf build web/dist web/node_modules e2e/node_modules
