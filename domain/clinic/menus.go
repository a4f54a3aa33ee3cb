package clinic

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// sitePage is the name of the texts that surround every page.
const sitePage = "site"

// Link is one to a page of the site. Text and Badge stand beside it in a menu of services.
type Link struct {
	Label       string `json:"label"`
	Path        string `json:"path"`
	Text        string `json:"text,omitempty"`
	Badge       string `json:"badge,omitempty"`
	Highlighted bool   `json:"highlighted,omitempty"`
	// Menu: it opens the menu of services, where there is anything in it.
	Menu bool `json:"menu,omitempty"`
}

// Column is a part of the menu of services.
type Column struct {
	Heading string `json:"heading"`
	Links   []Link `json:"links"`
}

// menus are the parts of pages/site.json that say which page leads to which other one.
type menus struct {
	Header struct {
		Nav  []Link `json:"nav"`
		Menu struct {
			Columns []struct {
				Heading string   `json:"heading"`
				Slugs   []string `json:"slugs"`
			} `json:"columns"`
		} `json:"menu"`
	} `json:"header"`
	Footer struct {
		QuickLinks struct {
			Links []Link `json:"links"`
		} `json:"quickLinks"`
		Services struct {
			Slugs []string `json:"slugs"`
		} `json:"services"`
	} `json:"footer"`
}

// listed are the services that the menus name.
func (m menus) listed() []string {
	slugs := slices.Clone(m.Footer.Services.Slugs)
	for _, column := range m.Header.Menu.Columns {
		slugs = append(slugs, column.Slugs...)
	}
	return slugs
}

func (c Content) menus() (m menus) {
	page, _ := pageOf(c.Pages, sitePage)
	_ = json.Unmarshal(page.Texts, &m) // what is content was read as JSON of this shape
	return m
}

// fixedPages are those that every site has.
var fixedPages = []string{"/", "/about", "/services", "/contact", "/privacidad", "/blog"}

// HasPage says whether an address of the site leads somewhere. A post of tomorrow has a page tomorrow.
func (c Content) HasPage(address string) bool {
	address = strings.ToLower(strings.TrimRight(address, "/"))
	folder, slug, inFolder := strings.Cut(strings.TrimPrefix(address, "/"), "/")
	switch {
	case !inFolder:
		return address == "" || slices.Contains(fixedPages, address) || !pathForm.MatchString(address)
	case folder == "services":
		_, there := serviceOf(c.Services, slug)
		return there
	case folder == "about":
		return slices.ContainsFunc(c.Profiles, func(p Profile) bool { return p.Slug == slug && p.HasPage() })
	case folder == "blog":
		return slices.ContainsFunc(c.Posts, func(p Post) bool { return p.Slug == slug })
	}
	return true
}

// Nav are the links of the navigation that lead to a page.
func (c Content) Nav() []Link {
	links := c.leading(c.menus().Header.Nav)
	for i, l := range links {
		links[i].Menu = l.Path == "/services" && len(c.MenuColumns()) > 0
	}
	return links
}

// QuickLinks are those of the footer that lead to a page.
func (c Content) QuickLinks() []Link { return c.leading(c.menus().Footer.QuickLinks.Links) }

func (c Content) leading(links []Link) []Link {
	return slices.DeleteFunc(slices.Clone(links), func(l Link) bool { return !c.HasPage(l.Path) })
}

// MenuColumns are the menu of services: those that a column names and that there are, and in the last one
// the specialties that none names. A column without any is left out.
func (c Content) MenuColumns() []Column {
	m := c.menus()
	columns := make([]Column, len(m.Header.Menu.Columns))
	var named []string
	for i, column := range m.Header.Menu.Columns {
		columns[i] = Column{column.Heading, c.linksTo(column.Slugs)}
		named = append(named, column.Slugs...)
	}
	if rest := c.linksTo(c.unnamed(named)); len(columns) > 0 {
		last := &columns[len(columns)-1]
		last.Links = append(last.Links, rest...)
	}
	return slices.DeleteFunc(columns, func(column Column) bool { return len(column.Links) == 0 })
}

// FooterServices are the links of the footer to services.
func (c Content) FooterServices() []Link {
	named := c.menus().Footer.Services.Slugs
	return append(c.linksTo(named), c.linksTo(c.unnamed(named))...)
}

// unnamed are the specialties that a menu does not name.
func (c Content) unnamed(named []string) []string {
	var slugs []string
	for _, s := range c.Services {
		if s.Specialty && !slices.Contains(named, s.Slug) {
			slugs = append(slugs, s.Slug)
		}
	}
	return slugs
}

func (c Content) linksTo(slugs []string) []Link {
	links := []Link{}
	for _, slug := range slugs {
		if s, there := serviceOf(c.Services, slug); there {
			links = append(links, Link{Label: s.Title, Path: "/services/" + slug, Text: s.MenuText, Badge: s.Badge, Highlighted: s.Badge != ""})
		}
	}
	return links
}

// anchorForm is a link of HTML to another page of the site.
var anchorForm = regexp.MustCompile(`(?s)<a href="(/[^"#?]*)[^"]*"[^>]*>(.*?)</a>`)

// Linked is a text's HTML without the links to pages that there are not; their words stay.
func (c Content) Linked(html string) string {
	return anchorForm.ReplaceAllStringFunc(html, func(found string) string {
		if m := anchorForm.FindStringSubmatch(found); !c.HasPage(m[1]) {
			return m[2]
		}
		return found
	})
}
