package oapi

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/model"
)

func TestRoutes(t *testing.T) {
	const path = "/shops/{shop}/shelves/{shelf_id}/"
	got := map[string]string{}
	for _, name := range Frameworks() {
		routes, err := Routes([]*model.Operation{{Method: "POST", Path: path}}, name)
		if err != nil {
			t.Fatal(err)
		}
		got[name] = routes[path]
	}
	colons := "/shops/:shop/shelves/:shelf_id/"
	want := map[string]string{
		"std-http": path + "{$}", "chi": path, "gorilla": path,
		"echo": colons, "echo5": colons, "gin": colons, "fiber": colons, "fiber3": colons, "iris": colons,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestUnknownFramework(t *testing.T) {
	if _, err := Framework("rails"); err == nil {
		t.Error("there is a framework rails")
	}
	if f, err := Framework(""); err != nil || f.Name != "std-http" {
		t.Errorf("without a name: %+v, %v", f, err)
	}
}
