package site

import (
	"io/fs"
	"os"
	"testing"
	"testing/fstest"
	"time"
)

// build is a build with a script of its own, and one that all builds have.
func build(name string) fstest.MapFS {
	return fstest.MapFS{
		"index.html":                {Data: []byte("<html>")},
		"assets/" + name + ".js":    {Data: []byte(name)},
		"assets/" + name + ".js.br": {Data: []byte("packed " + name)},
		"assets/common.js":          {Data: []byte("common")},
	}
}

// keep begins to serve releases one after another, an hour apart, and gives what the last one keeps.
func keep(t *testing.T, dir string, names ...string) (former Assets) {
	t.Helper()
	for i, name := range names {
		var err error
		if former, err = KeepAssets(build(name), dir, time.Unix(int64(i)*3600, 0)); err != nil {
			t.Fatal(err)
		}
	}
	return former
}

func TestTheAssetsOfTwoFormerReleasesAreKept(t *testing.T) {
	for name, c := range map[string]struct{ served, kept, gone []string }{
		"the first":            {[]string{"a"}, nil, []string{"a"}},
		"an update":            {[]string{"a", "b"}, []string{"a"}, []string{"b"}},
		"many updates":         {[]string{"a", "b", "c", "d"}, []string{"b", "c"}, []string{"a", "d"}},
		"a start without one":  {[]string{"a", "b", "b", "b"}, []string{"a"}, []string{"b"}},
		"a step back":          {[]string{"a", "b", "c", "b"}, []string{"a", "c"}, []string{"b"}},
		"a step back and more": {[]string{"a", "b", "c", "a", "d"}, []string{"a", "c"}, []string{"b", "d"}},
	} {
		dir := t.TempDir()
		former := keep(t, dir, c.served...)
		for _, release := range c.kept {
			for file, want := range map[string]string{release + ".js": release, release + ".js.br": "packed " + release, "common.js": "common"} {
				if content, err := fs.ReadFile(former, "assets/"+file); err != nil || string(content) != want {
					t.Errorf("%s: %s of %s is %q, %v", name, file, release, content, err)
				}
			}
		}
		for _, release := range c.gone {
			if _, err := fs.ReadFile(former, "assets/"+release+".js"); err == nil {
				t.Errorf("%s: the assets of %s are there", name, release)
			}
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != len(c.kept)+1 {
			t.Errorf("%s: %d directories, %v", name, len(entries), err)
		}
	}
}

func TestFormerAssetsAreNothingElse(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/"+partial+"1", 0o700); err != nil {
		t.Fatal(err)
	}
	former := keep(t, dir, "a", "b")
	for _, name := range []string{"a.js", "assets", "assets/", "assets/../a.js", "assets/" + partial + "1", "index.html", "assets/a\x00.js"} {
		if content, err := fs.ReadFile(former, name); err == nil {
			t.Errorf("%q is %q", name, content)
		}
	}
	if _, err := os.Stat(dir + "/" + partial + "1"); err == nil {
		t.Error("an interrupted copy was left")
	}
	if former, err := KeepAssets(fstest.MapFS{".gitkeep": {}}, dir, time.Unix(0, 0)); former != nil || err != nil {
		t.Errorf("without a build: %v, %v", former, err)
	}
}
