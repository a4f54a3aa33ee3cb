package main

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"bitacora/adapters/httpapi/site"
	"bitacora/adapters/render"
	"bitacora/webapp"
)

// siteConfig is what visitors see at the address "https://clinica.example".
func siteConfig(a *app, origin string) (site.Config, error) {
	spec, err := a.config.assistantSpec()
	if err != nil {
		return site.Config{}, err
	}
	c := site.Config{
		Content: &site.ContentCache{Contents: a.db.Content(), Clinic: a.clinic, Operator: spec.Operator(), Now: time.Now, Logger: a.log},
		Build:   webapp.Dist(),
		Origin:  origin,
	}
	bundle, err := webapp.Pages()
	if errors.Is(err, fs.ErrNotExist) {
		// Without a build the site says so itself.
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("read pages: %w", err)
	}
	c.Pages, err = render.New(bundle)
	return c, err
}
