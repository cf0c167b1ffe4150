package routers

import "testing"

// framework is one of oapi-codegen's strict servers, and what it does not have in
// common with the others.
type framework struct {
	name string
	// ends says that the context of a business function ends when the client goes.
	// fasthttp does not notice.
	ends bool
	// problems says that oapi-codegen's code sends a problem+json response as such.
	// The JSON method of fiber and of iris overwrites the content type.
	problems bool
}

var frameworks = []framework{
	{name: "std-http", ends: true, problems: true},
	{name: "chi", ends: true, problems: true},
	{name: "gorilla", ends: true, problems: true},
	{name: "echo", ends: true, problems: true},
	{name: "echo5", ends: true, problems: true},
	{name: "gin", ends: true, problems: true},
	{name: "fiber"},
	{name: "fiber3"},
	{name: "iris", ends: true},
}

// cases are run against each framework, on a service of their own.
var cases = []struct {
	name string
	run  func(*service)
}{
	{"retry gets the first answer", retry},
	{"another meaning is refused", mismatch},
	{"other callers and shops have keys of their own", scopes},
	{"keys", keys},
	{"body limit", bodyLimit},
	{"in flight", inFlight},
	{"twenty at once", twenty},
	{"final failure", finalFailure},
	{"not final", notFinal},
	{"error", failure},
	{"panic", panicking},
	{"expired", expired},
	{"no body", noBody},
	{"text and bytes", otherContent},
	{"a response without an end", endless},
	{"statuses chosen at run time", statuses},
	{"cancelled", cancelled},
	{"a context outlives its request", lingering},
	{"operations without annotation", others},
}

func TestFrameworks(t *testing.T) {
	p := build(t)
	for _, f := range frameworks {
		t.Run(f.name, func(t *testing.T) {
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) { c.run(start(t, p, f)) })
			}
		})
	}
}
