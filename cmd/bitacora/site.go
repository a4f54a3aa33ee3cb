package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/httpapi"
	"bitacora/adapters/render"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/webapp"
)

// addSite adds to the interface what visitors see.
func addSite(c *httpapi.Config, h *app, addr net.Addr) error {
	bundle, err := webapp.Pages()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read pages: %w", err)
	}
	// Without a build the site says so itself.
	if err == nil {
		if c.Pages, err = render.New(bundle); err != nil {
			return err
		}
	}
	c.Site, c.Origin = webapp.Dist(), h.config.SiteURL
	if c.Origin == "" {
		c.Origin = "http://" + addr.String()
	}
	c.Content = &httpapi.ContentCache{Contents: h.db.Content(), Clinic: h.clinic, Now: time.Now, Logger: h.log}
	c.Mailbox = &clinic.Mailbox{Log: h.db.Log(), Now: time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() }}
	c.Contacts = &contacts.Register{Log: h.db.Log(), Now: time.Now}
	c.Colleagues = h.db.Staff().Accounts
	return nil
}
