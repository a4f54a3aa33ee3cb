package site

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/clinic"
)

// Contents keeps what the clinic's site shows.
type Contents interface {
	// Version grows with every change.
	Version(ctx context.Context) (int64, error)
	// Read gives the content and its version.
	Read(ctx context.Context) (clinic.Content, int64, error)
	// PictureFile gives a file of a picture; [clinic.ErrNoPicture] where there is none.
	PictureFile(ctx context.Context, name string) ([]byte, error)
}

// ContentCache remembers what the site shows, as the answers of the calls that give it. While
// the database is away it goes on with what it remembers.
type ContentCache struct {
	Contents Contents
	Clinic   clinic.Clinic
	// Operator is who runs the model that visitors' questions are sent to; empty where none is.
	Operator string
	// Newsletter says that the newsletter's box takes addresses.
	Newsletter bool
	Now        func() time.Time
	Logger     *slog.Logger

	// looking shares a look at the database among all who wait for it.
	looking singleflight.Group
	mu      sync.Mutex
	current *contentVersion
	content clinic.Content
	version int64
	// reads counts the contents there were: a version that a failover lost comes again with another one.
	reads int
	// next is when to look for changes again, unless one is told before, of which changes counts.
	next    time.Time
	changes int
}

const (
	// contentTime is how long the cache does not look for changes.
	contentTime = time.Second
	// contentWait is how long it waits for the database where it remembers something, firstWait where
	// it does not, and contentRetry how long it goes on with what it remembers.
	contentWait  = 500 * time.Millisecond
	firstWait    = 15 * time.Second
	contentRetry = 5 * time.Second
)

// contentVersion is one state of everything that the site shows.
type contentVersion struct {
	// name is one that no other state has.
	name    string
	content clinic.Content
	// answers are the JSON bodies of the content calls, by path.
	answers map[string]json.RawMessage
	// lists are the same for what a page begins with: the texts that only a page of their
	// own shows are left out.
	lists map[string]json.RawMessage
	// pages are the addresses of services and posts.
	pages []address
}

// Published is what the site shows as of now, at most about a second old, and a name that no
// other state has.
func (c *ContentCache) Published(ctx context.Context) (content clinic.Content, name string, err error) {
	current, err := c.Current(ctx)
	if err != nil {
		return clinic.Content{}, "", err
	}
	return current.content, current.name, nil
}

// Current is the content as of now, at most about a second old.
func (c *ContentCache) Current(ctx context.Context) (*contentVersion, error) {
	now := c.Now()
	c.mu.Lock()
	current, changes, due := c.current, c.changes, !now.Before(c.next)
	c.mu.Unlock()
	if !due {
		return current, nil
	}
	// Whoever comes after a change joins no look that began before it.
	found, err, _ := c.looking.Do(strconv.Itoa(changes), func() (any, error) { return c.look(ctx, now, changes) })
	current, _ = found.(*contentVersion)
	return current, err
}

// Changed has the cache look for changes at once: whoever changes content in this process calls it.
func (c *ContentCache) Changed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next = time.Time{}
	c.changes++
}

// look reads the content if it has changed, and gives the state that is to be shown now.
func (c *ContentCache) look(ctx context.Context, now time.Time, changes int) (*contentVersion, error) {
	c.mu.Lock()
	remembered, known := c.current != nil, c.version
	c.mu.Unlock()
	wait := firstWait
	if remembered {
		wait = contentWait
	}
	// Others may wait for it too.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), wait)
	defer cancel()
	content, version, err := c.readUnless(ctx, remembered, known)

	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.current != nil && c.changes != changes:
		// The look that the change asked for tells what is shown.
		return c.current, nil
	case err != nil && c.current == nil:
		return nil, err
	case err != nil:
		c.next = now.Add(contentRetry)
		c.Logger.Warn("content could not be looked at, going on with what is remembered", "error", err)
	case c.changes == changes:
		c.next = now.Add(contentTime)
	}
	if content != nil {
		c.content, c.version = *content, version
		c.reads++
	}
	// A post is published when its time comes, without any change in the database.
	if name := c.name(now); c.current == nil || c.current.name != name {
		next, err := newContentVersion(name, c.content, c.Clinic, c.Operator, c.Newsletter, now)
		if err != nil {
			c.next = time.Time{}
			return nil, err
		}
		c.current = next
	}
	return c.current, nil
}

// readUnless reads the content, unless its version is remembered.
func (c *ContentCache) readUnless(ctx context.Context, remembered bool, known int64) (*clinic.Content, int64, error) {
	version, err := c.Contents.Version(ctx)
	if err != nil || remembered && version == known {
		return nil, 0, err
	}
	content, version, err := c.Contents.Read(ctx)
	if err != nil {
		return nil, 0, err
	}
	return &content, version, nil
}

// NoticeVersion is that of the notice about personal data which the site shows now.
func (c *ContentCache) NoticeVersion(ctx context.Context) string {
	content, _, err := c.Published(ctx)
	if err != nil {
		return c.Clinic.NoticeVersion
	}
	return content.Notice.Version
}

// name changes with what is shown: with the content, when a post is published, and with the days
// ahead that have other hours.
func (c *ContentCache) name(now time.Time) string {
	name := fmt.Sprintf("%d.%d", c.reads, len(c.content.Published(now)))
	if len(c.Clinic.Exceptions) > 0 {
		name += "." + now.In(c.Clinic.Zone).Format("20060102")
	}
	return name
}

// newContentVersion makes the answers of content.
func newContentVersion(name string, content clinic.Content, facts clinic.Clinic, operator string, newsletter bool, now time.Time) (*contentVersion, error) {
	e := &contentVersion{name: name, answers: map[string]json.RawMessage{}, lists: map[string]json.RawMessage{}}
	facts.NoticeVersion = cmp.Or(content.Notice.Version, facts.NoticeVersion)
	content.Posts = content.Published(now)
	e.content = content
	shown := newPresentation(facts, content)
	services, posts, profiles := contract.List(content.Services, shown.service), contract.List(content.Posts, shown.post), contract.List(content.Profiles, shown.profile)
	featured := contract.List(content.Featured(), shown.service)
	about := clinicOf(facts, now)
	about.Newsletter = contract.Optional(newsletter)
	about.Images = picturesOf(facts, content.Pictures)
	answers := map[string]any{
		"/api/clinic":            about,
		"/api/services":          services,
		"/api/services/featured": featured,
		"/api/doctors":           profiles,
		"/api/testimonials":      contract.List(content.Testimonials, shown.testimonial),
		"/api/blog":              posts,
		"/api/privacy":           shown.notice(content.Notice, operator),
	}
	for _, s := range services {
		answers["/api/services/slug/"+s.Slug] = shown.told(s)
		e.pages = append(e.pages, address{path: "/services/" + s.Slug})
	}
	for _, p := range profiles {
		if p.Page {
			answers["/api/doctors/slug/"+p.Slug] = p
			e.pages = append(e.pages, address{path: "/about/" + p.Slug})
		}
	}
	for _, p := range content.Pages {
		answers[textsCall+p.Name] = shown.texts(p.Name)
	}
	for _, p := range posts {
		answers["/api/blog/slug/"+p.Slug] = p
		e.pages = append(e.pages, address{"/blog/" + p.Slug, p.PublishedAt})
	}
	if err := encodeAll(e.answers, answers); err != nil {
		return nil, err
	}
	e.pages = slices.Clip(e.pages)
	latest := brief(posts[:min(len(posts), homeShows)], func(p *contract.Post) { p.Content = "" })
	return e, encodeAll(e.lists, map[string]any{
		latestPosts:              latest,
		"/api/testimonials":      contract.List(content.Testimonials[:min(len(content.Testimonials), homeShows)], shown.testimonial),
		"/api/services":          brief(services, withoutText),
		"/api/services/featured": brief(featured, withoutText),
		"/api/doctors":           brief(profiles, func(p *contract.Profile) { p.Content = "" }),
		"/api/blog":              brief(posts, func(p *contract.Post) { p.Content = "" }),
	})
}

func encodeAll(into map[string]json.RawMessage, answers map[string]any) error {
	for path, answer := range answers {
		encoded, err := json.Marshal(answer)
		if err != nil {
			return fmt.Errorf("encode content of %s: %w", path, err)
		}
		into[path] = encoded
	}
	return nil
}

// brief leaves out the long texts.
func brief[T any](all []T, shorten func(*T)) []T {
	without := slices.Clone(all)
	for i := range without {
		shorten(&without[i])
	}
	return without
}

func withoutText(s *contract.Service) { s.Content, s.Page = "", nil }
