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

// site adds to the interface what visitors see.
func (a *app) site(c *httpapi.Config, addr net.Addr) error {
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
	c.Site, c.Origin = webapp.Dist(), a.config.SiteURL
	if c.Origin == "" {
		c.Origin = "http://" + addr.String()
	}
	c.Content = &httpapi.ContentCache{Contents: a.db.Content(), Clinic: a.clinic, Now: time.Now, Logger: a.log}
	c.Mailbox = &clinic.Mailbox{Log: a.db.Log(), Now: time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() }}
	c.Contacts = &contacts.Register{Log: a.db.Log(), Now: time.Now}
	c.Colleagues = a.db.Staff().Accounts
	return nil
}
