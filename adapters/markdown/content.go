package markdown

import (
	"fmt"
	"time"

	"bitacora/domain/clinic"
)

// Content is content with the HTML of its texts, in the form in which a store gives it back.
func Content(c clinic.Content) (clinic.Content, error) {
	of := c
	of.Answers = append([]clinic.Answer{}, c.Answers...)
	var err error
	if of.Notice.HTML, err = HTML(c.Notice.Markdown); err != nil {
		return of, fmt.Errorf("render notice: %w", err)
	}
	if of.Services, err = each(c.Services, func(s *clinic.Service) (*clinic.Text, string) { return &s.Text, s.Slug }); err != nil {
		return of, fmt.Errorf("render service %w", err)
	}
	if of.Profiles, err = each(c.Profiles, func(p *clinic.Profile) (*clinic.Text, string) { return &p.Text, p.Slug }); err != nil {
		return of, fmt.Errorf("render profile %w", err)
	}
	if of.Posts, err = each(c.Posts, func(p *clinic.Post) (*clinic.Text, string) { return &p.Text, p.Slug }); err != nil {
		return of, fmt.Errorf("render post %w", err)
	}
	for i, p := range of.Posts {
		of.Posts[i].PublishedAt = p.PublishedAt.In(time.UTC)
	}
	return of, nil
}

// each renders the text of every one, and keeps none as nothing.
func each[T any](all []T, text func(*T) (of *clinic.Text, name string)) ([]T, error) {
	var done []T
	for _, one := range all {
		of, name := text(&one)
		html, err := HTML(of.Markdown)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		of.HTML = html
		done = append(done, one)
	}
	return done, nil
}
