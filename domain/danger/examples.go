package danger

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed examples/*.txt
var exampleFiles embed.FS

// Example is a known sentence, with the kind of danger that it speaks of; none for an ordinary one.
type Example struct {
	Text string
	Kind Kind
}

// Examples are the known sentences, for those who learn from them: all dangers, and ordinary ones written close
// to danger.
func Examples() ([]Example, error) {
	var all []Example
	for _, name := range []string{"dangerous", "ordinary"} {
		text, err := exampleFiles.ReadFile("examples/" + name + ".txt")
		if err != nil {
			return nil, fmt.Errorf("read examples: %w", err)
		}
		kind := Kind("")
		for line := range strings.Lines(string(text)) {
			switch line = strings.TrimSpace(line); {
			case line == "", strings.HasPrefix(line, "#"):
			case strings.HasPrefix(line, "["):
				kind = Kind(strings.Trim(line, "[]"))
			default:
				all = append(all, Example{line, kind})
			}
		}
	}
	return all, nil
}
