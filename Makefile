# Two targets are all a newcomer needs: demo and test.

# -race needs cgo, and so a C compiler.
RACE := $(shell command -v $${CC:-cc} >/dev/null 2>&1 && echo -race)
# Else each process with -race waits for a second before it ends, and tests start hundreds.
export GORACE ?= atexit_sleep_ms=0

# Every module is tidied and linted on its own; tools only pins what lint runs.
MODULES := . idem pgserver adapters/idemfiber adapters/idemfiber3 adapters/idemiris example acceptance acceptance/routers bench
# All packages, those with the longest tests first.
PACKAGES := ./acceptance/routers/... ./acceptance/... $(addprefix ./,$(addsuffix /...,$(filter-out acceptance%,$(MODULES))))
# What is committed as generated, and where from: the example, because it is read; the
# service of acceptance/partitions, whose tests call it in their own process; the service
# of both benchmarks, so that their module compiles and is linted in a fresh clone. Other
# tests generate what they need when they run.
CONFIGS := idemgen.yaml acceptance/partitions/service/idemgen.yaml bench/service/idemgen.yaml
SQLC := go run github.com/sqlc-dev/sqlc/cmd/sqlc

.PHONY: help
help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 20

.PHONY: demo
demo: ## generate the example, start it on a throwaway PostgreSQL and play the story
	@echo 'The first build compiles sqlc with its PostgreSQL parser and takes a few minutes.'
	@$(MAKE) --no-print-directory generate
	@cd example && go run ./cmd/demo

.PHONY: generate
generate: ## generate everything that is committed as generated
	@for config in $(CONFIGS); do echo "idemgen generate -c $$config"; go run ./cmd/idemgen generate -c $$config || exit 1; done
	$(SQLC) generate
	cd example && go generate ./...

.PHONY: test
test: ## all tests, with -race where a C compiler exists
	go test $(RACE) -shuffle=on -timeout=30m $(PACKAGES)

.PHONY: test-demanded
test-demanded: ## again, the tests that depend on IDEMGEN_POSTGRES, IDEMGEN_CORPUS or PgBouncer
	go test $(RACE) -shuffle=on -timeout=30m $$(go run ./acceptance/internal/demanded)

.PHONY: lint
lint: ## golangci-lint over every module
	cd tools && GOWORK=off go build -o ../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@for module in $(MODULES); do \
		echo "== $$module"; \
		(cd $$module && $(CURDIR)/bin/golangci-lint run ./...) || exit 1; \
	done

.PHONY: verify
verify: ## what is committed is what the generator and the module files say
	@for config in $(CONFIGS); do echo "idemgen check -c $$config"; go run ./cmd/idemgen check -c $$config || exit 1; done
	$(SQLC) diff
	@for module in $(MODULES) tools; do \
		echo "== go mod tidy -diff: $$module"; \
		(cd $$module && GOWORK=off go mod tidy -diff) || exit 1; \
	done

.PHONY: faults
faults: ## break everything at every step of the protocol, FAULTS times (default 10000)
	cd acceptance && IDEMGEN_FAULTS=$(or $(FAULTS),10000) go test $(RACE) -count=1 -timeout=2h -v -run='^TestFaults$$' ./faults

.PHONY: corpus
corpus: ## generate, compile and drive every API description in IDEMGEN_CORPUS (default ../shared/corpus)
	IDEMGEN_CORPUS=$(abspath $(or $(IDEMGEN_CORPUS),../shared/corpus)) IDEMGEN_REQUIRE=1 go test -count=1 -run=Corpus ./internal/spec ./internal/plan ./internal/expand
	cd acceptance && IDEMGEN_CORPUS=$(abspath $(or $(IDEMGEN_CORPUS),../shared/corpus)) IDEMGEN_REQUIRE=1 go test $(RACE) -count=1 -v ./corpus

.PHONY: bench-generate
bench-generate: ## what a run costs on a large description, as a ratio of what oapi-codegen alone costs
	cd acceptance && go test -count=1 -run='^$$' -bench=Generate -benchtime=$(or $(RUNS),9)x ./scale

.PHONY: differential
differential: ## generated fingerprints against explain, for DIFFERENTIAL (default 10m)
	IDEMGEN_DIFFERENTIAL=$(or $(DIFFERENTIAL),10m) go test -count=1 -timeout=0 -v -run='^TestDrawnOperations$$' ./internal/differential

.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME (default 1m)
	go test -run='^$$' -fuzz=FuzzLoad -fuzztime=$(or $(FUZZTIME),1m) ./internal/spec
	go test -run='^$$' -fuzz=FuzzEncode -fuzzminimizetime=1x -fuzztime=$(or $(FUZZTIME),1m) ./internal/tree
	go test -run='^$$' -fuzz=FuzzText -fuzzminimizetime=1x -fuzztime=$(or $(FUZZTIME),1m) ./internal/tree
	go test -run='^$$' -fuzz=FuzzGenerate -fuzztime=$(or $(FUZZTIME),1m) ./internal/gen
	go test -run='^$$' -fuzz=FuzzStrings -fuzzminimizetime=1x -fuzztime=$(or $(FUZZTIME),1m) ./internal/gen
	go test -run='^$$' -fuzz=FuzzExplain -fuzztime=$(or $(FUZZTIME),1m) ./internal/explain

.PHONY: bench-fingerprint
bench-fingerprint: ## measure generated fingerprints beside other ways to hash a request
	cd bench && go run ./fingerprint

.PHONY: bench
bench: ## measure the protocol beside what people use instead; RECORDS=10000000 also on a full table
	cd bench && go run ./protocol $(if $(RECORDS),-records $(RECORDS))
