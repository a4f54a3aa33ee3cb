package site

import (
	"encoding/json"

	"bitacora/domain/clinic"
)

// manifestPath is where the page says that its web app manifest lies.
const manifestPath = "/site.webmanifest"

// manifest is how a phone shows the site on its home screen, see the W3C's Web Application Manifest.
type manifest struct {
	Name            string         `json:"name"`
	Language        string         `json:"lang"`
	StartURL        string         `json:"start_url"`
	Display         string         `json:"display"`
	ThemeColor      string         `json:"theme_color"`
	BackgroundColor string         `json:"background_color"`
	Icons           []manifestIcon `json:"icons"`
}

type manifestIcon struct {
	Source  string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose,omitempty"`
}

func manifestText(c clinic.Clinic) (string, error) {
	text, err := json.MarshalIndent(manifest{
		Name: c.Name, Language: c.Locale(), StartURL: "/", Display: "browser",
		ThemeColor: barColor(c), BackgroundColor: "#ffffff",
		Icons: []manifestIcon{
			{"/favicon.svg", "any", "image/svg+xml", ""},
			{"/" + smallIcon, "192x192", "image/png", ""},
			{"/img/icon-512.png", "512x512", "image/png", "maskable"},
		},
	}, "", "  ")
	return string(text) + "\n", err
}
