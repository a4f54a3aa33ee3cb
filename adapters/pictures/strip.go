package pictures

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
)

// A picture without metadata has what is needed to show it, and the way up where that is not the
// usual one: no place, no time, no camera, no preview, no comment and nothing after its end.

var errCut = errors.New("the file is cut off or damaged")

// strip gives a picture of a type without metadata, and which way up it is, 1 to 8 as in EXIF.
func strip(format string, data []byte) (clean []byte, way int, err error) {
	switch format {
	case "jpg":
		return stripJPEG(data)
	case "png":
		return stripPNG(data)
	default:
		return stripWebP(data)
	}
}

var exifPrefix = []byte("Exif\x00\x00")

// exifOf is EXIF that tells which way up a picture is, and nothing else.
func exifOf(way int) []byte {
	return []byte{'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, byte(way), 0, 0, 0, 0, 0, 0}
}

// wayOf reads from EXIF which way up a picture is; 1 where it does not tell.
func wayOf(exif []byte) int {
	exif = bytes.TrimPrefix(exif, exifPrefix)
	var order binary.ByteOrder = binary.BigEndian
	if bytes.HasPrefix(exif, []byte("II")) {
		order = binary.LittleEndian
	}
	if len(exif) < 8 {
		return 1
	}
	at := int64(order.Uint32(exif[4:]))
	if at < 0 || at+2 > int64(len(exif)) {
		return 1
	}
	count := int(order.Uint16(exif[at:]))
	for entries := exif[at+2:]; count > 0 && len(entries) >= 12; count, entries = count-1, entries[12:] {
		if order.Uint16(entries) != 0x0112 {
			continue
		}
		if way := int(order.Uint16(entries[8:])); way >= 1 && way <= 8 {
			return way
		}
	}
	return 1
}

// Markers of JPEG.
const (
	jpegStart   = 0xd8
	jpegEnd     = 0xd9
	jpegScan    = 0xda
	jpegApp0    = 0xe0
	jpegApp1    = 0xe1
	jpegAdobe   = 0xee
	jpegApp15   = 0xef
	jpegComment = 0xfe
)

func stripJPEG(data []byte) ([]byte, int, error) {
	if !bytes.HasPrefix(data, []byte{0xff, jpegStart}) {
		return nil, 0, errors.New("is not a JPEG")
	}
	way := 1
	var body []byte
	for rest := data[2:]; ; {
		for len(rest) > 1 && rest[0] == 0xff && rest[1] == 0xff { // fill bytes
			rest = rest[1:]
		}
		if len(rest) < 2 || rest[0] != 0xff {
			return nil, 0, errCut
		}
		marker := rest[1]
		if marker == jpegEnd {
			break
		}
		if len(rest) < 4 {
			return nil, 0, errCut
		}
		end := 2 + int(binary.BigEndian.Uint16(rest[2:]))
		if end < 4 || end > len(rest) {
			return nil, 0, errCut
		}
		segment := rest[:end]
		if marker == jpegScan {
			end += scanLength(rest[end:])
			segment = rest[:end]
		}
		rest = rest[end:]
		switch {
		case marker == jpegApp1 && bytes.HasPrefix(segment[4:], exifPrefix):
			way = wayOf(segment[4:])
		case marker >= jpegApp0 && marker <= jpegApp15 && marker != jpegAdobe, marker == jpegComment:
		case marker == jpegAdobe && (len(segment) < 16 || !bytes.HasPrefix(segment[4:], []byte("Adobe"))):
		case marker == jpegAdobe: // says in which colours the picture is
			body = append(body, 0xff, jpegAdobe, 0, 14)
			body = append(body, segment[4:16]...)
		default:
			body = append(body, segment...)
		}
	}
	clean := []byte{0xff, jpegStart}
	if way != 1 {
		exif := slices.Concat(exifPrefix, exifOf(way))
		clean = append(clean, 0xff, jpegApp1, 0, byte(len(exif)+2))
		clean = append(clean, exif...)
	}
	return append(append(clean, body...), 0xff, jpegEnd), way, nil
}

// scanLength is how long the data of a scan is: up to a marker that is none of its own.
func scanLength(data []byte) int {
	for i := 0; i+1 < len(data); i++ {
		if next := data[i+1]; data[i] == 0xff && next != 0 && next != 0xff && (next < 0xd0 || next > 0xd7) {
			return i
		}
	}
	return len(data)
}

var pngStart = []byte("\x89PNG\r\n\x1a\n")

func stripPNG(data []byte) ([]byte, int, error) {
	if !bytes.HasPrefix(data, pngStart) {
		return nil, 0, errors.New("is not a PNG")
	}
	way := 1
	var kept [][]byte
	for rest, ended := data[len(pngStart):], false; !ended; {
		if len(rest) < 12 {
			return nil, 0, errCut
		}
		length := int64(binary.BigEndian.Uint32(rest))
		if length > int64(len(rest)-12) {
			return nil, 0, errCut
		}
		chunk := rest[:length+12]
		rest = rest[length+12:]
		switch string(chunk[4:8]) {
		case "IHDR", "PLTE", "tRNS", "IDAT":
			kept = append(kept, chunk)
		case "IEND":
			ended = true
		case "eXIf":
			way = wayOf(chunk[8 : len(chunk)-4])
		}
	}
	if len(kept) == 0 {
		return nil, 0, errCut
	}
	clean := slices.Concat(pngStart, kept[0])
	if way != 1 {
		clean = append(clean, pngChunk("eXIf", exifOf(way))...)
	}
	return slices.Concat(append([][]byte{clean}, append(kept[1:], pngChunk("IEND", nil))...)...), way, nil
}

func pngChunk(name string, data []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	chunk = append(append(chunk, name...), data...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// Flags of WebP's header that a picture without metadata may have.
const (
	webpAlpha = 0x10
	webpExif  = 0x08
	webpMoves = 0x02
)

func stripWebP(data []byte) ([]byte, int, error) {
	if len(data) < 12 || string(data[:4]) != "RIFF" || string(data[8:12]) != "WEBP" {
		return nil, 0, errors.New("is not a WebP")
	}
	way := 1
	var header, body []byte
	rest := data[12:]
	if size := int64(binary.LittleEndian.Uint32(data[4:])) - 4; size >= 0 && size < int64(len(rest)) {
		rest = rest[:size]
	}
	for len(rest) >= 8 {
		length := int64(binary.LittleEndian.Uint32(rest[4:]))
		if length > int64(len(rest)-8) {
			return nil, 0, errCut
		}
		content := rest[8 : 8+length]
		switch name := string(rest[:4]); name {
		case "VP8X":
			if length < 10 {
				return nil, 0, errCut
			}
			if content[0]&webpMoves != 0 {
				return nil, 0, errors.New("a picture that moves is not taken")
			}
			header = slices.Clone(content[:10])
		case "VP8 ", "VP8L", "ALPH":
			body = append(body, riffChunk(name, content)...)
		case "EXIF":
			way = wayOf(content)
		}
		rest = rest[min(8+length+length%2, int64(len(rest))):]
	}
	if header != nil {
		header[0] &= webpAlpha
		if way != 1 {
			header[0] |= webpExif
			body = append(body, riffChunk("EXIF", exifOf(way))...)
		}
		body = append(riffChunk("VP8X", header), body...)
	} else {
		way = 1 // EXIF without that header is none
	}
	clean := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body)+4))
	return append(append(clean, "WEBP"...), body...), way, nil
}

func riffChunk(name string, content []byte) []byte {
	chunk := append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(content))), content...)
	if len(content)%2 == 1 {
		chunk = append(chunk, 0)
	}
	return chunk
}
