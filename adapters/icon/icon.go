// Package icon draws the sign of a clinic that has no picture of its own: its initials on its colour.
package icon

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"bitacora/domain/palette"
)

// grid is the side of the square in which an icon is drawn.
const grid = 32

// Icon is a sign in one colour and white.
type Icon struct {
	ground palette.Color
	// outline is that of the letters, on the grid.
	outline []sfnt.Segment
	scale   float32
	left    float32
	bottom  float32
}

// New draws one or two letters; those that the font lacks are left out.
func New(letters string, ground palette.Color) (Icon, error) {
	face, err := sfnt.Parse(gobold.TTF)
	if err != nil {
		return Icon{}, fmt.Errorf("read the icon's font: %w", err)
	}
	icon := Icon{ground: ground}
	var buffer sfnt.Buffer
	em := fixed.I(1000)
	var x fixed.Int26_6
	for _, r := range letters {
		glyph, err := face.GlyphIndex(&buffer, r)
		if err != nil || glyph == 0 {
			continue
		}
		segments, err := face.LoadGlyph(&buffer, glyph, em, nil)
		if err != nil {
			return Icon{}, fmt.Errorf("draw icon: %w", err)
		}
		for _, s := range segments {
			for i := range s.Args {
				s.Args[i].X += x
			}
			icon.outline = append(icon.outline, s)
		}
		advance, err := face.GlyphAdvance(&buffer, glyph, em, font.HintingNone)
		if err != nil {
			return Icon{}, fmt.Errorf("draw icon: %w", err)
		}
		x += advance
	}
	icon.fit()
	return icon, nil
}

// Empty says that there is no letter to be seen.
func (i Icon) Empty() bool { return len(i.outline) == 0 }

// fit puts the letters in the middle: a phone may cut a circle out of the square, of which four
// fifths are sure to be seen.
func (i *Icon) fit() {
	const width, height = 18, 14
	least, most := fixed.Point26_6{X: 1 << 30, Y: 1 << 30}, fixed.Point26_6{X: -1 << 30, Y: -1 << 30}
	for _, s := range i.outline {
		for _, p := range s.Args[:points(s)] {
			least.X, least.Y = min(least.X, p.X), min(least.Y, p.Y)
			most.X, most.Y = max(most.X, p.X), max(most.Y, p.Y)
		}
	}
	wide, high := float32(most.X-least.X), float32(most.Y-least.Y)
	i.scale = min(width/wide, height/high)
	i.left = grid/2 - i.scale*(float32(least.X)+wide/2)
	i.bottom = grid/2 - i.scale*(float32(least.Y)+high/2)
}

// points is how many points a segment has.
func points(s sfnt.Segment) int {
	return map[sfnt.SegmentOp]int{sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2, sfnt.SegmentOpCubeTo: 3}[s.Op]
}

// at is where a point lies in a square of a side.
func (i Icon) at(p fixed.Point26_6, side int) (x, y float32) {
	unit := float32(side) / grid
	return unit * (i.left + i.scale*float32(p.X)), unit * (i.bottom + i.scale*float32(p.Y))
}

// SVG is the icon with round corners.
func (i Icon) SVG() string {
	var path strings.Builder
	for _, s := range i.outline {
		path.WriteByte("MLQC"[s.Op])
		for n, p := range s.Args[:points(s)] {
			x, y := i.at(p, grid)
			if n > 0 {
				path.WriteByte(' ')
			}
			fmt.Fprintf(&path, "%.2f %.2f", x, y)
		}
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[1]d"><rect width="%[1]d" height="%[1]d" rx="9" fill="%[2]s"/><path d="%[3]s" fill="#fff"/></svg>`+"\n",
		grid, i.ground, path.String())
}

// PNG is the icon as a square of so many pixels.
func (i Icon) PNG(side int) ([]byte, error) {
	var r, g, b uint8
	if _, err := fmt.Sscanf(string(i.ground), "#%02x%02x%02x", &r, &g, &b); err != nil {
		return nil, fmt.Errorf("draw icon: %w", err)
	}
	square := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.Draw(square, square.Bounds(), image.NewUniform(color.RGBA{r, g, b, 0xff}), image.Point{}, draw.Src)
	drawn := vector.NewRasterizer(side, side)
	for _, s := range i.outline {
		var p [3][2]float32
		for n := range p {
			p[n][0], p[n][1] = i.at(s.Args[n], side)
		}
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			drawn.ClosePath()
			drawn.MoveTo(p[0][0], p[0][1])
		case sfnt.SegmentOpLineTo:
			drawn.LineTo(p[0][0], p[0][1])
		case sfnt.SegmentOpQuadTo:
			drawn.QuadTo(p[0][0], p[0][1], p[1][0], p[1][1])
		case sfnt.SegmentOpCubeTo:
			drawn.CubeTo(p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1])
		}
	}
	drawn.ClosePath()
	drawn.Draw(square, square.Bounds(), image.White, image.Point{})
	var encoded bytes.Buffer
	err := png.Encode(&encoded, square)
	return encoded.Bytes(), err
}
