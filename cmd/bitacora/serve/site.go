package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"bitacora/adapters/httpapi/site"
	"bitacora/adapters/render"
	"bitacora/cmd/bitacora/app"
	"bitacora/webapp"
)

// siteConfig is what visitors see at the address "https://clinica.example".
func siteConfig(a *app.App, origin string) (site.Config, error) {
	spec, err := a.Config.AssistantSpec()
	if err != nil {
		return site.Config{}, err
	}
	c := site.Config{
		Content: &site.ContentCache{Contents: a.DB.Content(), Clinic: a.Clinic, Operator: spec.Operator(), Newsletter: a.Config.SMTPURL != "", Now: time.Now, Logger: a.Log},
		Build:   webapp.Dist(),
		Origin:  origin,
	}
	if c.Former, err = site.KeepAssets(c.Build, filepath.Join(a.Config.DataDir, "assets"), time.Now()); err != nil {
		a.Log.Warn("assets of earlier releases are not kept: tabs that are open during an update have to be loaded anew", "error", err)
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
