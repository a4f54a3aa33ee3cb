package pictures

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxDrawing is how many bytes a drawn logo may have.
const maxDrawing = 256 << 10

// What a drawing may be made of: shapes and how they are painted. What runs, loads or links is refused;
// what drawing programs note for themselves is left out.
var (
	drawingElements = words(`svg g defs symbol use path rect circle ellipse line polyline polygon
		linearGradient radialGradient stop clipPath mask pattern style title desc switch`)
	drawingAttributes = words(`id class d x y x1 y1 x2 y2 cx cy r rx ry fx fy fr width height viewBox points
		transform version preserveAspectRatio pathLength offset gradientUnits gradientTransform spreadMethod
		clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits patternTransform style type
		fill fill-opacity fill-rule stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit
		stroke-dasharray stroke-dashoffset stroke-opacity opacity color stop-color stop-opacity clip-path
		clip-rule mask display visibility overflow vector-effect paint-order shape-rendering color-interpolation
		enable-background href`)
	// notedElements are what drawing programs leave behind.
	notedElements = words(`metadata`)
)

const (
	svgSpace   = "http://www.w3.org/2000/svg"
	xlinkSpace = "http://www.w3.org/1999/xlink"
)

func words(text string) []string { return strings.Fields(text) }

// drawn takes a drawing as its own original.
func (s Source) drawn(data []byte) (Source, error) {
	clean, width, height, err := cleanSVG(data)
	if err != nil {
		return s, err
	}
	s.Original = clean
	slot := s.Picture.Slot()
	s.Picture.Shown = s.Picture.Focus
	s.Picture.Width, s.Picture.Height = within(width, height, slot.Width, slot.Height)
	return s.named(), nil
}

// cleanSVG writes a drawing anew out of what it may be made of, and gives its size.
func cleanSVG(data []byte) (clean []byte, width, height int, err error) {
	if len(data) > maxDrawing {
		return nil, 0, 0, fmt.Errorf("has more than %d kB", maxDrawing>>10)
	}
	c := svgCleaner{decoder: xml.NewDecoder(bytes.NewReader(data))}
	for err == nil {
		err = c.next()
	}
	if err != io.EOF {
		line, _ := c.decoder.InputPos()
		return nil, 0, 0, fmt.Errorf("line %d: %w", line, err)
	}
	if c.width <= 0 || c.height <= 0 {
		return nil, 0, 0, errors.New("is no SVG with a viewBox, or a width and a height")
	}
	return c.out.Bytes(), c.width, c.height, nil
}

type svgCleaner struct {
	decoder       *xml.Decoder
	out           bytes.Buffer
	open          []string
	width, height int
}

func (c *svgCleaner) next() error {
	token, err := c.decoder.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case xml.StartElement:
		return c.start(t)
	case xml.EndElement:
		c.open = c.open[:len(c.open)-1]
		fmt.Fprintf(&c.out, "</%s>", t.Name.Local)
	case xml.CharData:
		text := string(t)
		if len(c.open) == 0 || strings.TrimSpace(text) == "" {
			return nil
		}
		if slices.Contains(c.open, "style") {
			if err := safeStyle(text); err != nil {
				return err
			}
		}
		c.out.WriteString(html.EscapeString(text))
	}
	return nil // comments, instructions and document types are left out
}

func (c *svgCleaner) start(e xml.StartElement) error {
	name := e.Name.Local
	switch {
	case len(c.open) == 0 && (name != "svg" || e.Name.Space != svgSpace):
		return errors.New(`is no SVG: it does not begin with <svg xmlns="http://www.w3.org/2000/svg">`)
	case e.Name.Space != svgSpace || slices.Contains(notedElements, name):
		return c.decoder.Skip()
	case name == "text":
		return errors.New("<text> looks otherwise where the font is missing: have the drawing program turn it into paths")
	case !slices.Contains(drawingElements, name):
		return fmt.Errorf("<%s> is not taken; a logo is made of shapes and colours", name)
	}
	fmt.Fprintf(&c.out, "<%s", name)
	if len(c.open) == 0 {
		c.width, c.height = sizeOfSVG(e.Attr)
		fmt.Fprintf(&c.out, ` xmlns="%s" width="%d" height="%d"`, svgSpace, c.width, c.height)
		if !slices.ContainsFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == "viewBox" }) {
			fmt.Fprintf(&c.out, ` viewBox="0 0 %d %d"`, c.width, c.height) // without it nothing scales
		}
	}
	for _, a := range e.Attr {
		if err := c.attribute(a); err != nil {
			return fmt.Errorf("<%s %s>: %w", name, a.Name.Local, err)
		}
	}
	c.out.WriteString(">")
	c.open = append(c.open, name)
	return nil
}

func (c *svgCleaner) attribute(a xml.Attr) error {
	name := a.Name.Local
	switch {
	case a.Name.Space == "" && strings.HasPrefix(strings.ToLower(name), "on"):
		return errors.New("is not taken: a logo runs nothing")
	case a.Name.Space != "" && (a.Name.Space != xlinkSpace || name != "href"), !slices.Contains(drawingAttributes, name):
		return nil
	case len(c.open) == 0 && (name == "width" || name == "height"):
		return nil // written already
	case name == "href" && !strings.HasPrefix(a.Value, "#"):
		return errors.New("is not taken: a logo loads nothing")
	}
	if err := safeStyle(a.Value); err != nil {
		return err
	}
	fmt.Fprintf(&c.out, ` %s="%s"`, name, html.EscapeString(a.Value))
	return nil
}

var (
	loads    = regexp.MustCompile(`(?i)@import|expression\s*\(|javascript:|url\s*\(\s*["']?[^#"'\s]|\\`)
	numberIn = regexp.MustCompile(`^\s*(\d+(?:\.\d+)?)(?:px)?\s*$`)
)

// safeStyle refuses styles that load something, or hide that they do.
func safeStyle(text string) error {
	if loads.MatchString(text) {
		return errors.New("is not taken: a logo loads nothing")
	}
	return nil
}

// sizeOfSVG is the size of a drawing; none where it does not tell.
func sizeOfSVG(attributes []xml.Attr) (width, height int) {
	told := map[string]string{}
	for _, a := range attributes {
		if a.Name.Space == "" {
			told[a.Name.Local] = a.Value
		}
	}
	number := func(text string) int {
		found := numberIn.FindStringSubmatch(text)
		if found == nil {
			return 0
		}
		n, err := strconv.ParseFloat(found[1], 64)
		if err != nil || n > 100_000 {
			return 0
		}
		return int(n + 0.5)
	}
	if box := strings.FieldsFunc(told["viewBox"], func(r rune) bool { return r == ' ' || r == ',' || r == '\n' || r == '\t' }); len(box) == 4 {
		return max(number(box[2]), 0), max(number(box[3]), 0)
	}
	return number(told["width"]), number(told["height"])
}
