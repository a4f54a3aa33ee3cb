package clinic

import (
	"maps"
	"slices"
	"strings"
)

// shape is what a file of texts has to look like: the names of its fields, and what stands in each.
// It is taken from the files that the project brings along, so that they alone say it.
type shape struct {
	// fields, kinds, each or none: an object, objects that differ by their field "kind", a list of which
	// each element has a shape, or a text.
	fields map[string]*shape
	kinds  map[string]*shape
	each   *shape
	// optional are the fields that not every sample has.
	optional map[string]bool
	// values are what the site itself puts in, {{title}} and the like.
	values []string
}

// kindField tells objects of a list apart.
const kindField = "kind"

// Fields of texts that are no sentences, by name.
const (
	slugField     = "slug"
	iconField     = "icon"
	imageField    = "imageUrl"
	pathField     = "path"
	idField       = "id"
	anchorField   = "processAnchor"
	languageField = "lang"
)

// Fields of which there may be none in a list, because the site leaves out what they fill.
var mayBeEmpty = []string{"columns", slugsField, "links", "points", "milestones"}

// alwaysOptional are fields that a section may leave out, whether or not a sample does.
var alwaysOptional = []string{"intro", "note", "location"}

// shortFields are headings and labels; all other texts are paragraphs.
var shortFields = []string{"title", "heading", "label", "name", "value"}

// maxParagraph is, in runes, how long a text of a page may be.
const maxParagraph = 1500

// shapeOf is the shape that samples share.
func shapeOf(samples ...*node) *shape {
	s := &shape{}
	kinds := map[string][]object{}
	var elements []*node
	for _, sample := range samples {
		switch value := sample.value.(type) {
		case object:
			kind := kindOf(value)
			kinds[kind] = append(kinds[kind], value)
		case []*node:
			elements = append(elements, value...)
			s.each = &shape{}
		case string:
			for _, name := range placeholderForm.FindAllString(value, -1) {
				if _, isFact := placeholders[name]; !isFact && !slices.Contains(s.values, name) {
					s.values = append(s.values, name)
				}
			}
		}
	}
	if s.each != nil {
		s.each = shapeOf(elements...)
	}
	for kind, objects := range kinds {
		if kind == "" {
			return shapeOfObjects(objects)
		}
		if s.kinds == nil {
			s.kinds = map[string]*shape{}
		}
		s.kinds[kind] = shapeOfObjects(objects)
	}
	return s
}

// kindOf is the kind of an object; empty if it has none.
func kindOf(one object) (kind string) {
	if n := one[kindField]; n != nil {
		kind, _ = n.value.(string)
	}
	return kind
}

func shapeOfObjects(all []object) *shape {
	s := &shape{fields: map[string]*shape{}, optional: map[string]bool{}}
	byName := map[string][]*node{}
	for _, one := range all {
		for name, field := range one {
			byName[name] = append(byName[name], field)
		}
	}
	for name, samples := range byName {
		s.fields[name] = shapeOf(samples...)
		s.optional[name] = len(samples) < len(all) || slices.Contains(alwaysOptional, name)
	}
	return s
}

// check reports where a value is not of a shape. The name is that of the field in which it stands.
func (s *shape) check(in *sheet, n *node, name string) {
	switch {
	case s.kinds != nil:
		s.checkKind(in, n)
	case s.fields != nil:
		s.checkFields(in, n)
	case s.each != nil:
		if all, isList := n.value.([]*node); isList && len(all) == 0 && !slices.Contains(mayBeEmpty, name) {
			in.report(n, "is empty")
		}
		in.list(n, func(one *node) { s.each.check(in, one, name) })
	default:
		s.checkText(in, n, name)
	}
}

func (s *shape) checkKind(in *sheet, n *node) {
	all, isObject := n.value.(object)
	known := slices.Sorted(maps.Keys(s.kinds))
	kind := all[kindField]
	switch of := s.kinds[kindOf(all)]; {
	case !isObject:
		in.report(n, `is no object like {"%s": …}`, kindField)
	case kind == nil:
		in.report(n, "%s is missing, one of %s", kindField, strings.Join(known, ", "))
	case of == nil:
		in.report(kind, "%q is no kind of section%s", kindOf(all), didYouMean(kindOf(all), known))
	default:
		of.checkFields(in, n)
	}
}

func (s *shape) checkFields(in *sheet, n *node) {
	known := map[string]func(*node){}
	for name, of := range s.fields {
		known[name] = func(n *node) { of.check(in, n, name) }
	}
	in.fields(n, known)
	all, isObject := n.value.(object)
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if isObject && all[name] == nil && !s.optional[name] {
			in.report(n, "%s is missing", name)
		}
	}
}

func (s *shape) checkText(in *sheet, n *node, name string) {
	text, isText := n.value.(string)
	if !isText {
		in.report(n, `is no text like "…"`)
		return
	}
	var f flaws
	if !f.formed(name, text) {
		longest := maxParagraph
		if slices.Contains(shortFields, name) {
			longest = maxTitle
		}
		for _, value := range s.values {
			text = strings.ReplaceAll(text, value, "…")
		}
		f.alternatives(name, text, longest, mayBeUntold(n.path))
	}
	for _, found := range f {
		in.report(n, "%s", found.text)
	}
}

// mayBeUntold says whether the site does without a text: those in lists, and the claim.
func mayBeUntold(path string) bool {
	return strings.Contains(path, "[") || path == "facts.claim"
}

// alternatives are texts of which the first one is shown that names no fact that is not told. The last one
// may name none, unless there may be no text at all.
func (f *flaws) alternatives(field, value string, longest int, untold bool) {
	all := strings.Split(value, alternatives)
	for i, text := range all {
		if i < len(all)-1 || untold {
			text = placeholderForm.ReplaceAllStringFunc(text, withoutOptional)
		}
		f.text(field, text, longest)
	}
}

// completed is a value of a file with the fields that its default has beyond it, those that a newer
// version of the project knows, and without those that it no longer knows: an export would bring them
// along, and an import refuse them.
func (s *shape) completed(value, standard any) any {
	given, isObject := value.(map[string]any)
	own, _ := standard.(map[string]any)
	if !isObject || s == nil || s.fields == nil {
		return value
	}
	maps.DeleteFunc(given, func(name string, _ any) bool { return s.fields[name] == nil && name != comment })
	for name, of := range s.fields {
		if was, there := given[name]; there {
			given[name] = of.completed(was, own[name])
		} else if !s.optional[name] {
			given[name] = own[name]
		}
	}
	return given
}
