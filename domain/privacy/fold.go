package privacy

import (
	"embed"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed data/*.txt
var files embed.FS

// folded is a text as it is searched: in lower case, without accents and what has no width, with
// plain digits, spaces and dashes. Of each byte it is known which bytes of the text it stands for.
type folded struct {
	text     []byte
	from, to []int
}

// hidden stands for what is no part of a contact, a document or a name.
const hidden = 1

// compatible are the characters that Unicode holds to be other ways to write an ASCII text, by
// NFKD without marks and in lower case. A test derives the file.
var compatible = readCompatible()

func readCompatible() map[rune]string {
	table := map[rune]string{}
	for line := range strings.Lines(mustRead("compatible")) {
		plain, others, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		for _, r := range others {
			table[r] = plain
		}
	}
	return table
}

func mustRead(name string) string {
	data, err := files.ReadFile("data/" + name + ".txt")
	if err != nil {
		panic("privacy: read " + name + ": " + err.Error())
	}
	return string(data)
}

// fold reads a text, in which the masks that are there already are hidden.
func fold(text string) folded {
	n := len(text)
	f := folded{text: make([]byte, 0, n), from: make([]int, 0, n), to: make([]int, 0, n)}
	for i := 0; i < n; {
		if mask := maskAt(text[i:]); mask > 0 {
			f.add(hidden, i, i+mask)
			i += mask
			continue
		}
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		f.fold(text, r, i, i+size)
		i += size
	}
	f.readLettersAsDigits()
	return f
}

func maskAt(text string) int {
	if text[0] == '[' {
		for _, mask := range masks {
			if strings.HasPrefix(text, mask) {
				return len(mask)
			}
		}
	}
	return 0
}

func (f *folded) fold(text string, r rune, from, to int) {
	switch {
	case 'A' <= r && r <= 'Z':
		f.add(byte(r)+'a'-'A', from, to)
	case r == '\n' || ' ' < r && r < utf8.RuneSelf-1:
		f.add(byte(r), from, to)
	case r == '\u2028' || r == '\u2029' || r == '\u0085' || r == '\r' || r == '\v' || r == '\f':
		f.add('\n', from, to)
	case unicode.IsSpace(r), r < ' ':
		f.add(' ', from, to)
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		if len(f.to) > 0 {
			f.to[len(f.to)-1] = to
		}
	case unicode.Is(unicode.Pd, r), r == '−', r == '⁃':
		f.add('-', from, to)
	case unicode.Is(unicode.Nd, r):
		f.add('0'+digitOf(r), from, to)
	case compatible[r] != "":
		for _, b := range []byte(compatible[r]) {
			f.add(b, from, to)
		}
	case r == '’', r == '‘', r == '´':
		f.add('\'', from, to)
	case r == '¿', r == '¡':
		f.add('?', from, to)
	case unicode.IsPunct(r), unicode.IsSymbol(r):
		f.add(' ', from, to)
	default:
		for _, b := range []byte(strings.ToLower(text[from:to])) {
			f.add(b, from, to)
		}
	}
}

// digitOf is the value of a decimal digit: those of each script follow one another from zero on.
func digitOf(r rune) byte {
	for _, block := range unicode.Nd.R16 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return byte((r - rune(block.Lo)) % 10)
		}
	}
	for _, block := range unicode.Nd.R32 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return byte((r - rune(block.Lo)) % 10)
		}
	}
	return 0
}

func (f *folded) add(b byte, from, to int) {
	f.text, f.from, f.to = append(f.text, b), append(f.from, from), append(f.to, to)
}

// readLettersAsDigits takes an O or an L between two digits for what was meant.
func (f *folded) readLettersAsDigits() {
	for i := 1; i+1 < len(f.text); i++ {
		if isDigit(f.text[i-1]) && isDigit(f.text[i+1]) {
			switch f.text[i] {
			case 'o':
				f.text[i] = '0'
			case 'l':
				f.text[i] = '1'
			}
		}
	}
}

// hide takes the bytes from i to j out of what is searched.
func (f *folded) hide(i, j int) {
	for k := i; k < j; k++ {
		f.text[k] = hidden
	}
}

// original is where the bytes from i to j stand in the text.
func (f *folded) original(i, j int) (from, to int) { return f.from[i], f.to[j-1] }

// at is a byte, 0 behind the end.
func (f *folded) at(i int) byte {
	if i < len(f.text) {
		return f.text[i]
	}
	return 0
}

func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
func isLetter(b byte) bool { return 'a' <= b && b <= 'z' || b >= utf8.RuneSelf }
