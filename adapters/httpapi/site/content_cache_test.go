package site

import (
	"context"
	"log/slog"
	"testing"
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
