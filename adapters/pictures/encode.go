package pictures

import (
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"github.com/gen2brain/avif"
	"github.com/gen2brain/webp"
)

// Qualities at which a photograph shows no trace of it at the size in which the site shows it.
const (
	jpegQuality = 85
	webpQuality = 80
	avifQuality = 56
	// avifSpeed takes seconds for the largest width. A quicker one keeps the noise of a photograph at
	// many times the bytes.
	avifSpeed = 6
)

func encode(w io.Writer, format string, m *image.RGBA) error {
	switch format {
	case "avif":
		return avif.Encode(w, m, avif.Options{Quality: avifQuality, QualityAlpha: avifQuality, Speed: avifSpeed, ChromaSubsampling: image.YCbCrSubsampleRatio420})
	case "webp":
		return webp.Encode(w, m, webp.Options{Quality: webpQuality, Method: webp.DefaultMethod})
	case "jpg":
		return jpeg.Encode(w, m, &jpeg.Options{Quality: jpegQuality})
	case "png":
		return (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(w, m)
	}
	return fmt.Errorf("%s is no format of the site's", format)
}
