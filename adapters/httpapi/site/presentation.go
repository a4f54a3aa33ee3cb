package site

import (
	"cmp"
	"slices"
	"strings"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/clinic"
)

// textsCall is where the texts of a page are, before its name.
const textsCall = "/api/pages/"

// presentation turns content into what the site shows of it: in the clinic's words, and without links to what
// there is not.
type presentation struct {
	facts   clinic.Clinic
	content clinic.Content
	// head of pages that say none of their own, in words that are to be filled in.
	serviceHead, postHead, profileHead head
}

// head is what a page says of itself to search engines.
type head struct{ title, description string }

func newPresentation(facts clinic.Clinic, content clinic.Content) presentation {
	s := presentation{facts: facts, content: content}
	s.serviceHead = headIn(content.PageTexts(facts, "services"), "detail")
	s.postHead = headIn(content.PageTexts(facts, "blog"), "article")
	s.profileHead = headIn(content.PageTexts(facts, "doctor"))
	return s
}

// headIn reads the field "meta" of texts, or of a part of them.
func headIn(texts map[string]any, path ...string) head {
	for _, name := range append(path, "meta") {
		texts, _ = texts[name].(map[string]any)
	}
	title, _ := texts["title"].(string)
	description, _ := texts["description"].(string)
	return head{title, description}
}

// of is the head with the values of a page, each after its name.
func (h head) of(values ...string) head {
	for i := 0; i < len(values); i += 2 {
		values[i] = "{{" + values[i] + "}}"
	}
	fill := strings.NewReplacer(values...)
	return head{fill.Replace(h.title), fill.Replace(h.description)}
}

func (s presentation) html(text clinic.Text) string {
	return s.facts.FillHTML(s.content.Linked(text.HTML))
}

func (s presentation) service(of clinic.Service) contract.Service {
	title, description := s.facts.Fill(of.Title), s.facts.Fill(of.Description)
	answer := contract.Service{
		ID: of.Slug, Slug: of.Slug, Title: title, Description: description,
		Content: s.html(of.Text), Icon: of.Icon, ImageURL: contract.Optional(of.ImageURL), Specialty: of.Specialty,
	}
	own := s.serviceHead.of("title", title, "description", description)
	if texts, ok := s.facts.Texts(of.Page).(map[string]any); ok {
		page := contract.Texts(texts)
		answer.Page, own = &page, headIn(texts)
	}
	answer.PageTitle, answer.PageDescription = own.title, own.description
	return answer
}

func (s presentation) post(of clinic.Post) contract.Post {
	title, excerpt := s.facts.Fill(of.Title), s.facts.Fill(of.Excerpt)
	own := s.postHead.of("title", title, "excerpt", excerpt)
	return contract.Post{
		ID: of.Slug, Slug: of.Slug, Title: title, Excerpt: excerpt,
		Content: s.html(of.Text), ImageURL: contract.Optional(of.ImageURL), PublishedAt: of.PublishedAt.UTC(), Topics: present(of.Topics),
		PageTitle: own.title, PageDescription: own.description,
	}
}

func (s presentation) profile(of clinic.Profile) contract.Profile {
	answer := contract.Profile{
		ID: of.Slug, Slug: of.Slug, Name: s.facts.Fill(of.Name), Title: s.facts.Fill(of.Title), Specialty: s.facts.Fill(of.Specialty),
		Bio: s.facts.Fill(of.Bio), Page: of.HasPage(), Content: s.html(of.Text),
		Specialties: contract.List(of.Specialties, s.facts.Fill), Training: contract.List(of.Training, s.facts.Fill), Affiliations: contract.List(of.Affiliations, s.facts.Fill),
	}
	if told, known := s.facts.Doctor(answer.Name); known {
		answer.Registration, answer.Since = contract.Optional(told.Registration), contract.Optional(told.Since)
		if names := told.LanguagesInWords(); len(names) > 0 {
			answer.Languages = &names
		}
	}
	own := s.profileHead.of("name", answer.Name, "title", answer.Title, "bio", answer.Bio)
	answer.PageTitle = cmp.Or(s.facts.Fill(of.PageTitle), own.title)
	answer.PageDescription = cmp.Or(s.facts.Fill(of.PageDescription), own.description)
	for _, service := range s.content.Services {
		if service.Slug == of.Service {
			answer.Service = &struct {
				Path  string `json:"path"`
				Title string `json:"title"`
			}{"/services/" + service.Slug, s.facts.Fill(service.Title)}
		}
	}
	return answer
}

func (s presentation) notice(of clinic.Notice, operator string) contract.Notice {
	return contract.Notice{
		Version: of.Version, Title: s.facts.Fill(of.Title), Description: s.facts.Fill(of.Description), Content: s.facts.FillHTML(s.facts.OnlyTold(s.content.Linked(of.HTML))),
		ModelOperator: contract.Optional(operator),
	}
}

func (s presentation) testimonial(of clinic.Testimonial) contract.Testimonial {
	return contract.Testimonial{
		ID: of.ID, Name: of.Name, Comment: s.facts.Fill(of.Comment), Rating: of.Rating, Location: of.Location, ImageURL: contract.Optional(of.ImageURL),
		MadeUp: contract.Optional(slices.Contains(clinic.DefaultContent().Testimonials, of)),
	}
}

// texts are those of a page, and of what surrounds all pages with the links that there are.
func (s presentation) texts(name string) contract.Texts {
	texts := s.content.PageTexts(s.facts, name)
	header, _ := texts["header"].(map[string]any)
	footer, _ := texts["footer"].(map[string]any)
	if header == nil || footer == nil {
		return texts
	}
	header["nav"] = s.links(s.content.Nav())
	columns := s.content.MenuColumns()
	for i, column := range columns {
		columns[i] = clinic.Column{Heading: s.facts.Fill(column.Heading), Links: s.links(column.Links)}
	}
	within(header, "menu")["columns"] = columns
	within(footer, "quickLinks")["links"] = s.links(s.content.QuickLinks())
	services := within(footer, "services")
	services["links"] = s.links(s.content.FooterServices())
	delete(services, "slugs")
	return texts
}

func within(texts map[string]any, name string) map[string]any {
	part, _ := texts[name].(map[string]any)
	if part == nil {
		part = map[string]any{}
		texts[name] = part
	}
	return part
}

func (s presentation) links(links []clinic.Link) []clinic.Link {
	for i, l := range links {
		links[i].Label, links[i].Text, links[i].Badge = s.facts.Fill(l.Label), s.facts.Fill(l.Text), s.facts.Fill(l.Badge)
	}
	return links
}
