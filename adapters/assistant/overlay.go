package assistant

import (
	"errors"
	"io/fs"
)

// overlay are files of which the first ones replace those of the same name.
type overlay struct{ first, second fs.FS }

// Open implements [fs.FS].
func (o overlay) Open(name string) (fs.File, error) {
	f, err := o.first.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o.second.Open(name)
	}
	return f, err
}

// Glob implements [fs.GlobFS].
func (o overlay) Glob(pattern string) ([]string, error) {
	first, err := fs.Glob(o.first, pattern)
	if err != nil {
		return nil, err
	}
	second, err := fs.Glob(o.second, pattern)
	for _, name := range second {
		if _, missing := fs.Stat(o.first, name); missing != nil {
			first = append(first, name)
		}
	}
	return first, err
}
