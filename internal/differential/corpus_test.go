package differential

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/idemgen/idemgen/internal/model"
)

// TestCommittedDocuments sends requests to the services of the generator's golden
// cases, and of real API descriptions.
func TestCommittedDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module")
	}
	module := newModule(t)
	packages := map[string]*model.Contract{}
	for _, c := range append(goldenCases(t), corpusCases(t)...) {
		t.Run("generate "+c.name, func(t *testing.T) {
			before := len(module.packages)
			contract, err := module.generate(t, c.name, c.files)
			switch {
			case err != nil && c.accepted:
				t.Error(err)
			case err == nil && strings.Contains(module.packages[before], "/internal/"):
				module.packages = module.packages[:before] // the driver may not import it
			case err == nil:
				packages[module.packages[before]] = contract
			}
		})
	}
	driver := module.start(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var c counts
	for _, name := range module.packages {
		for _, planned := range packages[name].Operations {
			if op, ok := known(planned); ok {
				c.operations++
				op.document = name
				trial := trial{t, r, op, planned, driver, name, &c}
				trial.wild()
			}
		}
	}
	t.Logf("%d operations, %d requests, of which %d were refused", c.operations, c.requests, c.refused)
	if c.operations < 10 || c.refused*2 > c.requests {
		t.Error("that proves little")
	}
}

// documentCase is a document and what else is needed to generate from it.
type documentCase struct {
	name     string
	files    map[string][]byte
	accepted bool // or else it may be a case of an error
}

// elsewhere are golden cases of errors, of servers that the driver does not speak to,
// and of what has nothing to do with requests.
var elsewhere = []string{"error-", "framework-", "names-packages-", "sqlc-"}

func goldenCases(t *testing.T) []documentCase {
	t.Helper()
	archives, err := filepath.Glob("../gen/testdata/golden/*.txtar")
	must(t, err)
	var cases []documentCase
	for _, path := range archives {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if slices.ContainsFunc(elsewhere, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			continue
		}
		archive, err := txtar.ParseFile(absolute(t, path))
		must(t, err)
		files := map[string][]byte{"idemgen.yaml": fmt.Appendf(nil, strings.Replace(configuration, "api.json", "api.yaml", 1), ""), "sqlc.yaml": []byte(sqlcYAML)}
		for _, file := range archive.Files {
			if !strings.HasPrefix(file.Name, "want/") {
				files[file.Name] = file.Data
			}
		}
		cases = append(cases, documentCase{name: "golden_" + strings.ReplaceAll(name, "-", "_"), files: files})
	}
	return cases
}

// corpusOperation is an operation of somebody else's document, and what is declared
// of it.
type corpusOperation struct {
	file, path, method, key string
	fields                  []string
}

var corpusOperations = []corpusOperation{
	{"adyen-TransferService-v4.yaml", "/transfers", "post", "Idempotency-Key", []string{
		"body.amount.value", "body.amount.currency", "body.balanceAccountId", "body.category", "body.priorities[]", "body.executionDate.date",
	}},
	{"paypal-payments_payouts_batch_v1.json", "/v1/payments/payouts", "post", "PayPal-Request-Id", []string{
		"body.sender_batch_header.sender_batch_id", "body.items[].receiver", "body.items[].amount", "body.items[].purpose",
		"body.items[].alternate_notification_method.phone.national_number",
	}},
	{"formance-ledger-v3.yaml", "/v2/{ledger}/transactions", "post", "Idempotency-Key", []string{
		"body.postings[].amount", "body.postings[].asset", "body.postings[].source", "body.postings[].destination", "body.reference", "body.timestamp",
		"body.metadata", "body.accountMetadata",
	}},
	{"moov-paygate.yaml", "/transfers", "post", "X-Idempotency-Key", []string{
		"header.X-Organization", "body.amount.value", "body.amount.currency", "body.source.accountID", "body.destination.accountID", "body.sameDay",
	}},
}

// corpusCases are documents in IDEMGEN_CORPUS.
func corpusCases(t *testing.T) []documentCase {
	t.Helper()
	folder := os.Getenv("IDEMGEN_CORPUS")
	switch {
	case folder != "":
	case os.Getenv("IDEMGEN_REQUIRE") == "1":
		t.Fatal("IDEMGEN_CORPUS is not set, and IDEMGEN_REQUIRE=1 demands it")
	default:
		t.Log("SKIPPED real API descriptions: IDEMGEN_CORPUS is not set")
		return nil
	}
	var cases []documentCase
	for i, op := range corpusOperations {
		name := "api" + filepath.Ext(op.file)
		files := map[string][]byte{
			name:           read(t, filepath.Join(folder, op.file)),
			"overlay.yaml": []byte(op.overlay()),
			"idemgen.yaml": fmt.Appendf(nil, strings.Replace(configuration, "api.json", name+"\noverlay: overlay.yaml", 1), ""),
			"sqlc.yaml":    []byte(sqlcYAML),
		}
		cases = append(cases, documentCase{fmt.Sprintf("corpus%d", i), files, true})
	}
	return cases
}

func (c corpusOperation) overlay() string {
	return fmt.Sprintf(`overlay: 1.0.0
info: {title: idempotency, version: '1'}
actions:
  - target: $
    update:
      x-idempotent: {scopes: {account: {columns: [{name: tenant_id, type: uuid}]}}}
  - target: $.paths['%s'].%s
    update:
      x-idempotent: {scope: account, key: {name: %s}, fingerprint: ["%s"]}
`, c.path, c.method, c.key, strings.Join(c.fields, `", "`))
}

// known makes a drawn operation of a planned one. Of what is not declared nothing is
// known, so that it must be possible to leave it out.
func known(planned *model.Operation) (*operation, bool) {
	op := &operation{id: planned.ID, method: strings.ToLower(planned.Method), path: planned.Path, media: "application/json"}
	filled := planned.Path
	for _, root := range planned.Fingerprint.Roots {
		if root.Path == "body" {
			op.body, op.mustHaveBody = knownShape(root), root.Required
			continue
		}
		for _, n := range root.Members {
			p := knownShape(n)
			p.required, p.delimiter = n.Required, n.Delimiter
			p.each(func(s *shape) { s.in = root.Path })
			op.parameters = append(op.parameters, p)
			filled = strings.ReplaceAll(filled, "{"+n.Name+"}", "")
		}
	}
	switch types := planned.ContentTypes; {
	case len(types) > 1 || len(types) == 1 && !strings.HasSuffix(types[0], "json"):
		return nil, false
	case len(types) == 1:
		op.media = types[0]
	}
	return op, !strings.Contains(filled, "{")
}

// knownComponent says of a shape that there is more to it than is known: a union may
// have properties of its own, which are decoded and which explain does not check.
const knownComponent = "Known"

func knownShape(n *model.Node) *shape {
	s := &shape{
		name: n.Name, kind: n.Kind, format: n.Format, exact: n.Exact, declared: true, component: knownComponent,
		normalize: n.Normalize, unordered: n.Unordered, zero: n.Zero, keepsNull: n.Nullable,
	}
	if n.GoType != "" && n.Kind == model.Integer {
		s.format = n.GoType
	}
	s.union = n.Kind == model.JSON && n.GoType != "json.RawMessage"
	for _, name := range n.Names {
		i := slices.IndexFunc(n.Members, func(member *model.Node) bool { return member.Name == name })
		if i < 0 {
			s.members = append(s.members, &shape{name: name})
			continue
		}
		s.members = append(s.members, knownShape(n.Members[i]))
	}
	if n.Elem != nil {
		s.elem = knownShape(n.Elem)
	}
	return s
}
