package clinic

// Field is a field of the clinic's file.
type Field struct {
	Name string
	// About says in English what its value is.
	About string
	// Optional: without it the assistant says that it does not know, and no placeholder takes its place.
	Optional bool
}

// Fields are all fields of the clinic's file, for help and reference.
var Fields = []Field{
	{"name", "name of the clinic", false},
	{"tagline", "one sentence, in the footer and the chat", false},
	{"formOfAddress", "tú or usted: how the chat and the content address people", false},
	{"country", "its code, PA: the site uses that country's Spanish, and knows Panama's law and numbers", false},
	{"privacyLaw", "law on personal data, as it follows «la»: Ley 81 de 2019", false},
	{"privacyAuthority", "authority for that law, as it follows «ante»: la Autoridad Nacional …", false},
	{"theme", "primary and accent, colours like #145354; refused where text on them is unreadable (WCAG AA)", false},
	{"founded", "year of foundation; a clinic of another name has none unless it is set", false},
	{"experience", "years of experience that the clinic claims; a clinic of another name has none unless it is set", false},
	{"address", "street and city; building, floor and position (latitude, longitude) where they are told", false},
	{"phones", "one number or more, +507 200-0101", false},
	{"email", "one address", false},
	{"emergency", "emergency number of the country", false},
	{"crisisLine", "name, phone, whatsapp, about and aboutEnglish of the line for people in a crisis; null: none", false},
	{"numbersChecked", "day of the last test call to these numbers, 2026-11-21", false},
	{"links", "https addresses: booking (external form; without it the chat books), video and map; .example is none", false},
	{"social", "addresses of accounts by network: Facebook, Instagram, Twitter, YouTube, LinkedIn; a clinic of another name has none unless they are set", false},
	{"zone", "time zone of the business, America/Panama", false},
	{"hours", "monday to sunday: 08:00-12:00, 13:00-19:00; an empty text: closed; a missing day keeps a placeholder", false},
	{"agenda", "leadMinutes, days ahead, standard visit, visits by service (minutes, chairs, and perhaps visits: how many it takes, 1 o 2), closed days", false},
	{"team", "professions; without it those of doctors", false},
	{"exceptions", "days with other hours: date (2026-12-24, or 12-24 for every year), until, hours (none: closed), name", true},
	{"directions", "way to the clinic, a sentence", true},
	{"landmarks", "places nearby, a sentence", true},
	{"transit", "metro and bus, a sentence", true},
	{"parking", "place and price, a sentence", true},
	{"accessibility", "lift, ramp, wheelchair, a sentence", true},
	{"whatsapp", "a number for messages", true},
	{"payment", "methods (words) and currencies (codes: USD, PAB)", true},
	{"insurers", "insurers that the clinic works with; []: none", true},
	{"prices", "currency; consultation; services by slug: price, from, to, note, and a currency of its own", true},
	{"doctors", "profession, and perhaps name, services (slugs) and days (monday …), on which appointments are offered; for the page of the same name: registration (number), since (year) and languages (codes)", true},
	{"languages", "codes: es, en, sgn for sign language", true},
	{"sedation", "kind of sedation, a sentence", true},
	{"children", "fromMonths, and perhaps a note", true},
}
