package plan

import (
	"cmp"
	"maps"
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// Code joins what the two generators have made of the contract. Scopes are those that
// [Scopes] has returned. The code is complete only if the list holds no error; otherwise
// it is nil.
func Code(scopes []*model.GoScope, db Database, server Server) (*model.Code, diag.List) {
	c := &coder{taken: naming.NewTaken("oapi-codegen", server.Names...), db: db, server: server}
	c.takeFixed()
	keys := c.nameScopes(scopes)
	names := c.nameOperations()
	groups := importGroups(neededImports(scopes, db, server), db.ImportPath)
	queries := c.queriesName(groups)
	joined := codeScopes(scopes, keys, db.Name, queries)
	c.list.Sort()
	if c.list.HasErrors() {
		return nil, c.list
	}
	return &model.Code{
		Package:     server.Package,
		Framework:   server.Framework,
		Imports:     withName(groups, db.ImportPath, queries),
		QueriesName: queries,
		DBArgument:  db.DBArgument,
		Resolver:    slices.ContainsFunc(scopes, func(s *model.GoScope) bool { return s.Asks }),
		Scopes:      joined,
		Operations:  codeOperations(server, names, joined),
		Others:      server.Others,
		KeyHeaders:  keyHeaders(server.Operations, func(*model.HeaderKey) bool { return true }),
		NeededKeys:  keyHeaders(server.Operations, func(key *model.HeaderKey) bool { return key.Required }),
	}, c.list
}

// codeScopes gives each scope the name of its keys' type, and its fields the types under
// the name that sqlc's package is imported by.
func codeScopes(scopes []*model.GoScope, keys []string, from, to string) []*model.CodeScope {
	joined := make([]*model.CodeScope, len(scopes))
	for i, scope := range scopes {
		fields := slices.Clone(scope.Fields)
		for j := range fields {
			if fields[j].Ours {
				fields[j].Type = requalify(fields[j].Type, from, to)
			}
		}
		joined[i] = &model.CodeScope{GoScope: scope, Keys: keys[i], Fields: fields}
	}
	return joined
}

func codeOperations(server Server, names []operationNames, scopes []*model.CodeScope) []*model.CodeOperation {
	joined := make([]*model.CodeOperation, len(server.Operations))
	for i, operation := range server.Operations {
		scope := slices.IndexFunc(scopes, func(s *model.CodeScope) bool { return s.Name == operation.Scope.Name })
		fingerprints := make([]*model.CodeFingerprint, len(operation.Fingerprints))
		for j, fingerprint := range operation.Fingerprints {
			fingerprints[j] = &model.CodeFingerprint{GoFingerprint: fingerprint, Func: names[i].fingerprints[j]}
		}
		joined[i] = &model.CodeOperation{
			GoOperation: operation, Route: server.Routes[operation.Path], Var: names[i].variable,
			ScopeType: scopes[scope], KeyFunc: names[i].key, Fingerprints: fingerprints,
		}
	}
	return joined
}

// keyHeaders are the distinct headers of the keys that match, sorted.
func keyHeaders(operations []*model.GoOperation, match func(*model.HeaderKey) bool) []string {
	names := make(map[string]bool)
	for _, operation := range operations {
		if key := operation.HeaderKey; key != nil && match(key) {
			names[cmp.Or(key.Header, operation.Key.Name)] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
