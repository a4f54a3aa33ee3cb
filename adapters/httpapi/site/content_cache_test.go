package site

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"bitacora/domain/clinic"
)

// versions are contents of which a failover may lose the last.
type versions []string

func (v versions) Version(context.Context) (int64, error) { return int64(len(v)), nil }

func (v versions) Read(context.Context) (clinic.Content, int64, error) {
	return clinic.Content{Services: []clinic.Service{{Slug: v[len(v)-1]}}}, int64(len(v)), nil
}

func (versions) PictureFile(context.Context, string) ([]byte, error) { return nil, clinic.ErrNoPicture }

// TestAVersionThatComesAgainIsAnotherState: whoever goes by its name, as the chat does when somebody
// writes, is not to take it for the one that was lost.
func TestAVersionThatComesAgainIsAnotherState(t *testing.T) {
	now := time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC)
	c := ContentCache{Clinic: clinic.Default(), Now: func() time.Time { return now }, Logger: slog.New(slog.DiscardHandler)}
	names := map[string]string{}
	for _, c.Contents = range []Contents{versions{"first", "lost"}, versions{"first"}, versions{"first", "anew"}} {
		now = now.Add(contentTime)
		content, name, err := c.Published(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		slug := content.Services[0].Slug
		if other, there := names[name]; there {
			t.Errorf("%q names %s and %s", name, other, slug)
		}
		names[name] = slug
	}
	if len(names) != 3 {
		t.Errorf("read %v", names)
	}
}

// asked is a content that tells when it is asked for, and answers when it is let.
type asked struct {
	versions
	calls chan struct{}
	let   chan error
}

func (a asked) Version(ctx context.Context) (int64, error) {
	a.calls <- struct{}{}
	return int64(len(a.versions)), <-a.let
}

// TestALookIsShared: all who come while the database is asked wait for the one answer, and whoever comes after
// a change waits for another.
func TestALookIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of := asked{versions{"first"}, make(chan struct{}, 99), make(chan error)}
		c := ContentCache{Contents: of, Clinic: clinic.Default(), Now: time.Now, Logger: slog.New(slog.DiscardHandler)}
		failed := make(chan error, 99)
		ask := func() { _, err := c.Current(context.Background()); failed <- err }
		for range 8 {
			go ask()
		}
		synctest.Wait()
		of.let <- context.DeadlineExceeded
		synctest.Wait()
		if len(of.calls) != 1 || len(failed) != 8 {
			t.Fatalf("the database was asked %d times, %d of 8 were answered", len(of.calls), len(failed))
		}
		for range 8 {
			if err := <-failed; !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		}
		go ask()
		synctest.Wait()
		c.Changed()
		go ask()
		synctest.Wait()
		if len(of.calls) != 3 {
			t.Errorf("the database was asked %d times", len(of.calls))
		}
		of.let <- nil
		of.let <- nil
		synctest.Wait()
		if err := errors.Join(<-failed, <-failed); err != nil || c.reads == 0 {
			t.Error(err)
		}
	})
}

// TestTheHomePageBeginsWithWhatItShows, since every byte of it is sent to every visitor.
func TestTheHomePageBeginsWithWhatItShows(t *testing.T) {
	v, err := newContentVersion("", clinic.DefaultContent(), clinic.Default(), "", false, time.Date(2026, 12, 20, 17, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	many := func(list json.RawMessage) int {
		var all []json.RawMessage
		if err := json.Unmarshal(list, &all); err != nil {
			t.Fatalf("%v: %s", err, list)
		}
		return len(all)
	}
	home, blog := v.dataOf("/", ""), v.dataOf("/blog", "")
	if many(home[latestPosts]) != 3 || many(home["/api/testimonials"]) != 3 || home["/api/blog"] != nil {
		t.Errorf("the home page begins with %d posts and %d testimonials", many(home[latestPosts]), many(home["/api/testimonials"]))
	}
	if all := len(clinic.DefaultContent().Posts); many(blog["/api/blog"]) != all || many(v.answers["/api/testimonials"]) <= 3 {
		t.Errorf("the blog has %d of %d posts", many(blog["/api/blog"]), all)
	}
}
