package postgres

import (
	"context"
	"errors"
	"math"
	"reflect"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/adapters/markdown"
	"bitacora/domain/clinic"
	"bitacora/domain/fault"
)

// Content stores what the clinic's site says. Long texts are turned into HTML when they
// are stored, and what is read is made safe once more.
type Content struct{ pool *pgxpool.Pool }

// Content is what the clinic's site says.
func (db *DB) Content() *Content { return &Content{db.pool} }

// Version grows with every change of the content; 0 says that there was never any.
func (c *Content) Version(ctx context.Context) (int64, error) {
	version, err := again(c.pool, func() (version int64, err error) {
		return version, c.pool.QueryRow(ctx, query("content_version")).Scan(&version)
	})
	return version, fault.Wrap(err, "read content version")
}

// Read gives the content and its version. What a content that is older than its kind has not stored is
// what the program brings along, see [clinic.Content.Completed].
func (c *Content) Read(ctx context.Context) (content clinic.Content, version int64, err error) {
	// One snapshot, so that the version is that of the content.
	err = pgx.BeginTxFunc(ctx, c.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, query("content_version")).Scan(&version); err != nil {
			return err
		}
		content, err = readContent(ctx, tx)
		return err
	})
	return content, version, fault.Wrap(err, "read content")
}

// Replace puts content in the place of what there is, and says whether that changed
// anything.
func (c *Content) Replace(ctx context.Context, content clinic.Content) (changed bool, err error) {
	changed, _, err = c.ReplaceSince(ctx, content, math.MaxInt64)
	return changed, err
}

// ReplaceSince is [Content.Replace] with content that was edited since a version. Answers that were
// taught or taken back later stay as they are: left names those of them that differ.
func (c *Content) ReplaceSince(ctx context.Context, content clinic.Content, since int64) (changed bool, left []string, err error) {
	changed, err = c.write(ctx, content, func(ctx context.Context, tx pgx.Tx, was clinic.Content, to *clinic.Content) (bool, error) {
		to.Answers, left, err = keepTaught(ctx, tx, was.Answers, *to, since)
		return true, err
	})
	return changed, left, err
}

// Seed puts content in where there was never any, and says whether it did.
func (c *Content) Seed(ctx context.Context, content clinic.Content) (seeded bool, err error) {
	return c.write(ctx, content, func(ctx context.Context, tx pgx.Tx, _ clinic.Content, _ *clinic.Content) (bool, error) {
		var version int64
		err := tx.QueryRow(ctx, query("content_version")).Scan(&version)
		return version == 0, err
	})
}

// write stores content unless replaces, which may change it, has it left. Several programs may
// write at once: one after the other does.
func (c *Content) write(ctx context.Context, content clinic.Content, replaces func(ctx context.Context, tx pgx.Tx, was clinic.Content, to *clinic.Content) (bool, error)) (changed bool, err error) {
	if content, err = markdown.Content(content); err != nil {
		return false, err
	}
	err = pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		var version int64
		if err := tx.QueryRow(ctx, query("content_lock")).Scan(&version); err != nil {
			return err
		}
		was, err := readContent(ctx, tx)
		if err != nil {
			return err
		}
		if now, err := replaces(ctx, tx, was, &content); err != nil || !now {
			return err
		}
		if changed = version == 0 || !reflect.DeepEqual(was, content); !changed {
			return nil
		}
		return store(ctx, tx, content)
	})
	return changed, fault.Wrap(err, "store content")
}

func store(ctx context.Context, tx pgx.Tx, c clinic.Content) error {
	// The simple protocol takes several statements.
	if _, err := tx.Exec(ctx, query("content_clear"), pgx.QueryExecModeSimpleProtocol); err != nil {
		return err
	}
	tables := []struct {
		name    string
		columns []string
		rows    pgx.CopyFromSource
	}{
		{"services",
			[]string{"slug", "title", "description", "markdown", "html", "icon", "image_url", "specialty", "featured", "place", "menu_text", "badge", "page"},
			pgx.CopyFromSlice(len(c.Services), func(i int) ([]any, error) {
				s := c.Services[i]
				return []any{s.Slug, s.Title, s.Description, s.Markdown, s.HTML, s.Icon, s.ImageURL, s.Specialty, s.Featured, s.Order, s.MenuText, s.Badge, string(s.Page)}, nil
			})},
		{"testimonials",
			[]string{"id", "name", "comment", "rating", "location", "image_url", "place"},
			pgx.CopyFromSlice(len(c.Testimonials), func(i int) ([]any, error) {
				t := c.Testimonials[i]
				return []any{t.ID, t.Name, t.Comment, t.Rating, t.Location, t.ImageURL, i + 1}, nil
			})},
		{"posts",
			[]string{"slug", "title", "excerpt", "markdown", "html", "image_url", "published_at", "topics"},
			pgx.CopyFromSlice(len(c.Posts), func(i int) ([]any, error) {
				p := c.Posts[i]
				return []any{p.Slug, p.Title, p.Excerpt, p.Markdown, p.HTML, p.ImageURL, p.PublishedAt, listOf(p.Topics)}, nil
			})},
		{"pages",
			[]string{"name", "texts"},
			pgx.CopyFromSlice(len(c.Pages), func(i int) ([]any, error) {
				return []any{c.Pages[i].Name, string(c.Pages[i].Texts)}, nil
			})},
		{"profiles",
			[]string{"slug", "name", "title", "specialty", "bio", "markdown", "html", "specialties", "training", "affiliations", "service", "page_title", "page_description", "place"},
			pgx.CopyFromSlice(len(c.Profiles), func(i int) ([]any, error) {
				p := c.Profiles[i]
				return []any{
					p.Slug, p.Name, p.Title, p.Specialty, p.Bio, p.Markdown, p.HTML,
					listOf(p.Specialties), listOf(p.Training), listOf(p.Affiliations), p.Service, p.PageTitle, p.PageDescription, p.Order,
				}, nil
			})},
		{"notice",
			[]string{"version", "title", "description", "markdown", "html"},
			pgx.CopyFromRows([][]any{{c.Notice.Version, c.Notice.Title, c.Notice.Description, c.Notice.Markdown, c.Notice.HTML}})},
		{"answers",
			[]string{"slug", "topic", "service", "aspect", "open", "questions", "answer", "english", "place"},
			pgx.CopyFromSlice(len(c.Answers), func(i int) ([]any, error) {
				a := c.Answers[i]
				return []any{a.Slug, a.Topic, a.Service, a.Aspect, a.Open, a.Questions, a.Text, a.English, i + 1}, nil
			})},
	}
	for _, t := range tables {
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{t.name}, t.columns, t.rows); err != nil {
			return err
		}
	}
	if err := storePictures(ctx, tx, c.Pictures); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, query("content_renew"))
	return err
}

func readContent(ctx context.Context, tx pgx.Tx) (c clinic.Content, err error) {
	if c.Services, err = collect(ctx, tx, query("services"), func(row pgx.CollectableRow) (s clinic.Service, err error) {
		err = row.Scan(&s.Slug, &s.Title, &s.Description, &s.Markdown, &s.HTML, &s.Icon, &s.ImageURL, &s.Specialty, &s.Featured, &s.Order, &s.MenuText, &s.Badge, &s.Page)
		s.HTML, s.Page = markdown.Safe(s.HTML), noneOf(s.Page)
		return s, err
	}); err != nil {
		return c, err
	}
	if c.Testimonials, err = collect(ctx, tx, query("testimonials"), pgx.RowToStructByPos[clinic.Testimonial]); err != nil {
		return c, err
	}
	if c.Notice, err = readNotice(ctx, tx); err != nil {
		return c, err
	}
	if c.Posts, err = collect(ctx, tx, query("posts"), func(row pgx.CollectableRow) (p clinic.Post, err error) {
		err = row.Scan(&p.Slug, &p.Title, &p.Excerpt, &p.Markdown, &p.HTML, &p.ImageURL, &p.PublishedAt, &p.Topics)
		p.HTML, p.PublishedAt = markdown.Safe(p.HTML), p.PublishedAt.UTC()
		p.Topics = noneOf(p.Topics)
		return p, err
	}); err != nil {
		return c, err
	}
	if c.Pictures, err = readPictures(ctx, tx); err != nil {
		return c, err
	}
	if c.Answers, err = collect(ctx, tx, query("answers"), pgx.RowToStructByPos[clinic.Answer]); err != nil {
		return c, err
	}
	return readPages(ctx, tx, c)
}

// readPages adds the pages and the people, those of the project where content was stored before there
// were any.
func readPages(ctx context.Context, tx pgx.Tx, c clinic.Content) (clinic.Content, error) {
	var err error
	if c.Pages, err = collect(ctx, tx, query("pages"), pgx.RowToStructByPos[clinic.Page]); err != nil {
		return c, err
	}
	if len(c.Pages) == 0 {
		c = c.Completed()
		standard, err := markdown.Content(clinic.Content{Profiles: c.Profiles})
		c.Profiles = standard.Profiles
		return c, err
	}
	c.Profiles, err = collect(ctx, tx, query("profiles"), func(row pgx.CollectableRow) (p clinic.Profile, err error) {
		err = row.Scan(&p.Slug, &p.Name, &p.Title, &p.Specialty, &p.Bio, &p.Markdown, &p.HTML,
			&p.Specialties, &p.Training, &p.Affiliations, &p.Service, &p.PageTitle, &p.PageDescription, &p.Order)
		p.HTML = markdown.Safe(p.HTML)
		p.Specialties, p.Training, p.Affiliations = noneOf(p.Specialties), noneOf(p.Training), noneOf(p.Affiliations)
		return p, err
	})
	c.Services, c.Posts, c.Testimonials, c.Profiles = noneOf(c.Services), noneOf(c.Posts), noneOf(c.Testimonials), noneOf(c.Profiles)
	return c.Completed(), err
}

// listOf is a list as a column has it, which is never null; noneOf one as content has it.
func listOf(texts []string) []string { return append([]string{}, texts...) }

func noneOf[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// readNotice gives the project's own notice where content was stored before there was any.
func readNotice(ctx context.Context, tx pgx.Tx) (n clinic.Notice, err error) {
	err = tx.QueryRow(ctx, query("notice")).Scan(&n.Version, &n.Title, &n.Description, &n.Markdown, &n.HTML)
	if errors.Is(err, pgx.ErrNoRows) {
		n = clinic.DefaultContent().Notice
		n.HTML, err = markdown.HTML(n.Markdown)
	}
	n.HTML = markdown.Safe(n.HTML)
	return n, err
}
