package plan

import (
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// Code combines the output of the two generators with the contract. Scopes are those
// that [Scopes] returned. The code is complete only if the list has no error;
// otherwise it is nil.
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
		Source:      server.Source,
		Package:     server.Package,
		Framework:   server.Framework,
		Imports:     withName(groups, db.ImportPath, queries),
		QueriesName: queries,
		DBArgument:  db.DBArgument,
		Resolver:    slices.ContainsFunc(scopes, func(s *model.GoScope) bool { return s.Asks }),
		Scopes:      joined,
		Operations:  codeOperations(server, names, joined),
		Others:      server.Others,
		ParsesKeys:  slices.ContainsFunc(server.Operations, parsesKey),
	}, c.list
}

// codeScopes sets the name of each scope's key type, and gives its fields types that
// use the import name of sqlc's package.
func codeScopes(scopes []*model.GoScope, keys []tableKeys, from, to string) []*model.CodeScope {
	joined := make([]*model.CodeScope, len(scopes))
	for i, scope := range scopes {
		fields := slices.Clone(scope.Fields)
		for j := range fields {
			if fields[j].Ours {
				fields[j].Type = requalify(fields[j].Type, from, to)
			}
		}
		joined[i] = &model.CodeScope{GoScope: scope, Keys: keys[i].current, Fields: fields, Resolve: naming.LowerFirst(scope.Type)}
		for j, previous := range scope.PreviousTables {
			joined[i].Previous = append(joined[i].Previous, &model.CodeTable{GoScope: previous, Keys: keys[i].previous[j]})
		}
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

// parsesKey reports whether the key has a type that the generated server parses before
// idemgen's code can check it.
func parsesKey(operation *model.GoOperation) bool {
	return operation.HeaderKey != nil && slices.Contains(operation.HeaderKey.Value.Convert, model.KeyOfUUID)
}
