package model

// Framework is what the decorator's text depends on of the web framework that the
// strict server is for.
type Framework struct {
	Name    string   // as the configuration spells it: "echo5"
	Family  string   // of the template that prints what differs: "echo"
	Imports []Import // of the decorator
	Context string   // what a handler is given: "*echo.Context"
	First   bool     // the first middleware of a list is the outermost one, and not the last
	Options string   // the generated type that middleware is named in: "ChiServerOptions"
	App     string   // what renders responses that are not written to an http.ResponseWriter: "*fiber.App"; or ""
	Names   []string // what the decorator declares for this framework alone
}
