package cli

import (
	"fmt"
	"strings"

	"github.com/idemgen/idemgen/internal/output"
)

// named limits how many files of a kind are listed by name, so that the summary fits a
// screen.
const named = 10

// summary is what generate prints: the files that have changed, and the remaining
// steps.
func summary(written output.Written, steps []string) string {
	var out strings.Builder
	for _, part := range []struct {
		what  string
		names []string
	}{
		{"created", written.Created},
		{"updated", written.Updated},
		{"removed", written.Removed},
	} {
		if len(part.names) == 0 {
			continue
		}
		fmt.Fprintf(&out, "%s %s:\n", part.what, files(len(part.names)))
		listed := part.names
		if len(listed) > named+1 { // the name of one more file takes no more lines than the count
			listed = listed[:named]
		}
		for _, name := range listed {
			fmt.Fprintf(&out, "  %s\n", name)
		}
		if more := len(part.names) - len(listed); more > 0 {
			fmt.Fprintf(&out, "  and %d more\n", more)
		}
	}
	if written.Unchanged > 0 {
		fmt.Fprintf(&out, "unchanged: %s\n", files(written.Unchanged))
	}
	if len(steps) > 0 {
		out.WriteString("\nNext:\n")
	}
	for _, step := range steps {
		fmt.Fprintf(&out, "  %s\n", step)
	}
	return out.String()
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}
