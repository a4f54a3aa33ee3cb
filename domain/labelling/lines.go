package labelling

import (
	"maps"
	"slices"
	"strings"

	"bitacora/domain/event"
)

// offTopic is the intent of what the clinic has nothing to say about.
const offTopic = "otro"

// Line is a labelled question.
type Line struct {
	// Text is masked.
	Text string
	event.Label
}

// File is a file of training lines.
type File struct{ Name, Text string }

// Files are labelled questions in the format of the assistant's files, sorted by name:
// sentences/<intent>.txt with a sentence a line, and questions/<topic>.txt with the questions of
// an answer below "## slug". What was skipped is in none; unknown are the slugs of answers that the
// clinic does not have any more.
func Files(lines []Line, c Choices) (files []File, unknown []string) {
	sentences, questions := map[string][]string{}, map[string]map[string][]string{}
	for _, l := range lines {
		text := plainLine(l.Text)
		if text == "" {
			continue
		}
		switch l.Kind {
		case event.LabelIntent:
			sentences[l.Name] = append(sentences[l.Name], text)
		case event.LabelOffTopic:
			sentences[offTopic] = append(sentences[offTopic], text)
		case event.LabelAnswer:
			topic, ok := c.topicOf(l.Name)
			if !ok {
				unknown = append(unknown, l.Name)
				continue
			}
			if questions[topic] == nil {
				questions[topic] = map[string][]string{}
			}
			questions[topic][l.Name] = append(questions[topic][l.Name], text)
		}
	}
	for _, topic := range slices.Sorted(maps.Keys(questions)) {
		var b strings.Builder
		for i, slug := range slices.Sorted(maps.Keys(questions[topic])) {
			if i > 0 {
				b.WriteString("\n")
			}
			b.WriteString("## " + slug + "\n" + list(questions[topic][slug]))
		}
		files = append(files, File{"questions/" + topic + ".txt", b.String()})
	}
	for _, intent := range slices.Sorted(maps.Keys(sentences)) {
		files = append(files, File{"sentences/" + intent + ".txt", list(sentences[intent])})
	}
	slices.Sort(unknown)
	return files, slices.Compact(unknown)
}

// list is a text of sorted lines.
func list(lines []string) string {
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n") + "\n"
}

// plainLine is a text as one line without what means something else in the files: a choice, a
// comment, a heading.
func plainLine(text string) string {
	text = strings.ReplaceAll(text, "|", " ")
	return strings.TrimLeft(strings.Join(strings.Fields(text), " "), "# ")
}
