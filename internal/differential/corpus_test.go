package differential

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/corpustest"
	"github.com/idemgen/idemgen/internal/goldentest"
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
	var cases []documentCase
	for _, c := range goldentest.ReadAll(t, "../gen/testdata/golden", "want/") {
		if slices.ContainsFunc(elsewhere, func(prefix string) bool { return strings.HasPrefix(c.Name, prefix) }) {
			continue
		}
		files := map[string][]byte{"idemgen.yaml": fmt.Appendf(nil, strings.Replace(configuration, "api.json", "api.yaml", 1), ""), "sqlc.yaml": []byte(sqlcYAML)}
		for _, file := range c.Given.Files {
			files[file.Name] = file.Data
		}
		cases = append(cases, documentCase{name: "golden_" + strings.ReplaceAll(c.Name, "-", "_"), files: files})
	}
	return cases
}

var corpusOperations = []corpustest.Operation{
	{File: "adyen-TransferService-v4.yaml", Path: "/transfers", Method: "post", Key: "Idempotency-Key", Fields: []string{
		"body.amount.value", "body.amount.currency", "body.balanceAccountId", "body.category", "body.priorities[]", "body.executionDate.date",
	}},
	{File: "paypal-payments_payouts_batch_v1.json", Path: "/v1/payments/payouts", Method: "post", Key: "PayPal-Request-Id", Fields: []string{
		"body.sender_batch_header.sender_batch_id", "body.items[].receiver", "body.items[].amount", "body.items[].purpose",
		"body.items[].alternate_notification_method.phone.national_number",
	}},
	{File: "formance-ledger-v3.yaml", Path: "/v2/{ledger}/transactions", Method: "post", Key: "Idempotency-Key", Fields: []string{
		"body.postings[].amount", "body.postings[].asset", "body.postings[].source", "body.postings[].destination", "body.reference", "body.timestamp",
		"body.metadata", "body.accountMetadata",
	}},
	{File: "moov-paygate.yaml", Path: "/transfers", Method: "post", Key: "X-Idempotency-Key", Fields: []string{
		"header.X-Organization", "body.amount.value", "body.amount.currency", "body.source.accountID", "body.destination.accountID", "body.sameDay",
	}},
}

// corpusCases are documents in IDEMGEN_CORPUS.
func corpusCases(t *testing.T) []documentCase {
	t.Helper()
	folder, ok := corpustest.Lookup(t)
	if !ok {
		return nil
	}
	var cases []documentCase
	for i, op := range corpusOperations {
		name := "api" + filepath.Ext(op.File)
		files := map[string][]byte{
			name:           read(t, filepath.Join(folder, op.File)),
			"overlay.yaml": []byte(op.Overlay()),
			"idemgen.yaml": fmt.Appendf(nil, strings.Replace(configuration, "api.json", name+"\noverlay: overlay.yaml", 1), ""),
			"sqlc.yaml":    []byte(sqlcYAML),
		}
		cases = append(cases, documentCase{fmt.Sprintf("corpus%d", i), files, true})
	}
	return cases
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
