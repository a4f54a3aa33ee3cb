package main

import (
	"iter"
	"strings"
)

// token is a lexical piece of a statement. Comments and white space are none.
type token struct {
	kind       tokenKind
	text       string // of a name, without its quotes; otherwise as written
	start, end int
	depth      int // of round, square and curly brackets around it
}

type tokenKind int

const (
	tokenWord   tokenKind = iota // bare name, keyword or number
	tokenQuoted                  // `name` or "name"
	tokenString
	tokenMark // any other character
)

// is says whether the token is the keyword, in any case.
func (t token) is(keyword string) bool {
	return t.kind == tokenWord && strings.EqualFold(t.text, keyword)
}

func (t token) mark(mark string) bool { return t.kind == tokenMark && t.text == mark }

// tokens walks through a statement. Strings and comments that do not end run
// to the end of the text.
func tokens(sql string) iter.Seq[token] {
	return func(yield func(token) bool) {
		depth := 0
		for at := 0; at < len(sql); {
			if next := skipBlank(sql, at); next > at {
				at = next
				continue
			}
			t := scan(sql, at)
			if t.kind == tokenMark && strings.Contains(")]}", t.text) {
				depth--
			}
			t.depth = depth
			if t.kind == tokenMark && strings.Contains("([{", t.text) {
				depth++
			}
			if !yield(t) {
				return
			}
			at = t.end
		}
	}
}

// skipBlank returns the end of the white space or comment that begins at at.
func skipBlank(sql string, at int) int {
	rest := sql[at:]
	switch {
	case strings.ContainsRune(" \t\r\n\f\v", rune(rest[0])):
		return at + 1
	case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "#!"), strings.HasPrefix(rest, "# "):
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			return at + end + 1
		}
		return len(sql)
	case strings.HasPrefix(rest, "/*"):
		if end := strings.Index(rest, "*/"); end >= 0 {
			return at + end + 2
		}
		return len(sql)
	}
	return at
}

func scan(sql string, at int) token {
	switch c := sql[at]; {
	case c == '\'':
		end := quotedEnd(sql, at)
		return token{kind: tokenString, text: sql[at:end], start: at, end: end}
	case c == '`' || c == '"':
		end := quotedEnd(sql, at)
		return token{kind: tokenQuoted, text: strings.Trim(sql[at:end], string(c)), start: at, end: end}
	case c == '$':
		if end := heredocEnd(sql, at); end > 0 {
			return token{kind: tokenString, text: sql[at:end], start: at, end: end}
		}
	case wordByte(c):
		end := at
		for end < len(sql) && wordByte(sql[end]) {
			end++
		}
		return token{kind: tokenWord, text: sql[at:end], start: at, end: end}
	}
	return token{kind: tokenMark, text: sql[at : at+1], start: at, end: at + 1}
}

func wordByte(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// quotedEnd returns where the quoted text that begins at at ends: quotes are
// doubled or escaped inside.
func quotedEnd(sql string, at int) int {
	quote := sql[at]
	for i := at + 1; i < len(sql); i++ {
		switch {
		case sql[i] == '\\':
			i++
		case sql[i] == quote && i+1 < len(sql) && sql[i+1] == quote:
			i++
		case sql[i] == quote:
			return i + 1
		}
	}
	return len(sql)
}

// heredocEnd returns where $tag$ … $tag$ ends, or 0 if there is none.
func heredocEnd(sql string, at int) int {
	head := strings.IndexByte(sql[at+1:], '$')
	if head < 0 {
		return 0
	}
	tag := sql[at : at+head+2]
	for _, c := range []byte(tag[1 : len(tag)-1]) {
		if !wordByte(c) {
			return 0
		}
	}
	body := at + len(tag)
	if end := strings.Index(sql[body:], tag); end >= 0 {
		return body + end + len(tag)
	}
	return 0
}
