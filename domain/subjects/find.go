package subjects

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

// Index finds subjects by what identifies a person.
type Index interface {
	// Subjects gives the streams in which any of the identifiers was told.
	Subjects(ctx context.Context, ids ...privacy.Identifier) ([]string, error)
}

// Link says how a subject was found.
type Link struct {
	// By is "id" where it was named itself, or the kind of the identifier that led to it.
	By string `json:"by"`
	// From is the id of the subject that told the identifier; empty where it was asked for.
	From string `json:"from,omitempty"`
}

// Person is all that is kept of somebody, the newest subject first.
type Person struct {
	Records []Record `json:"records"`
	// Mentions are texts of the staff that tell of the person. They are no part of a copy: a name may be
	// somebody else's.
	Mentions []Mention `json:"-"`
}

// Streams are those of the person's subjects.
func (p Person) Streams() []string {
	streams := make([]string, len(p.Records))
	for i, r := range p.Records {
		streams[i] = r.Stream()
	}
	return streams
}

// Only leaves what was asked for, without what it led to.
func (p Person) Only() Person {
	return p.without(func(r Record) bool { return r.Found.From != "" }, func(m Mention) bool { return !m.asked })
}

// Except leaves out the subjects and the texts of some ids.
func (p Person) Except(ids ...string) Person {
	return p.without(
		func(r Record) bool { return slices.Contains(ids, r.ID) },
		func(m Mention) bool { return slices.Contains(ids, m.ID()) })
}

func (p Person) without(record func(Record) bool, mention func(Mention) bool) Person {
	return Person{slices.DeleteFunc(slices.Clone(p.Records), record), slices.DeleteFunc(slices.Clone(p.Mentions), mention)}
}

// Name is what the person is called, as far as it was said; else a phone, an e-mail address or
// the id of the newest subject, or of a text that mentions the person.
func (p Person) Name() string {
	for _, of := range []func(Contact) string{
		func(c Contact) string { return c.Name }, func(c Contact) string { return c.Phone }, func(c Contact) string { return c.Email },
	} {
		for _, r := range p.Records {
			if said := of(r.Reach()); said != "" {
				return said
			}
		}
	}
	switch {
	case len(p.Records) > 0:
		return p.Records[0].ID
	case len(p.Mentions) > 0:
		return p.Mentions[0].ID()
	}
	return ""
}

// idForm is what ids of conversations and contact messages look like.
var idForm = regexp.MustCompile(`^[0-9A-Za-z_-]{8,128}$`)

// Find gives what is kept of a person, by a phone, an e-mail address, a cédula, a full name, the id of
// a conversation or a contact message, or that of a [Mention]; [ErrNobody] if there is nothing.
func (r *Register) Find(ctx context.Context, query string) (Person, error) {
	query = strings.TrimSpace(query)
	s, err := newSearch(ctx, r)
	if err != nil {
		return Person{}, err
	}
	s.asked.id = query
	if idForm.MatchString(query) {
		for _, kind := range []string{Conversation, Message} {
			s.add(Stream(kind, query), Link{By: "id"})
		}
	}
	if id, err := privacy.ParseIdentifier(query); err == nil {
		s.asked.told = id
		if err := s.follow(ctx, id, ""); err != nil {
			return Person{}, err
		}
	}
	return s.person(ctx)
}

// Of gives what is kept of the person of a subject.
func (r *Register) Of(ctx context.Context, kind, id string) (Person, error) {
	s, err := newSearch(ctx, r)
	if err != nil {
		return Person{}, err
	}
	s.add(Stream(kind, id), Link{By: "id"})
	return s.person(ctx)
}

// search follows what leads from one subject to the next.
type search struct {
	*Register
	links map[string]Link
	// by is the identifier that led to a stream.
	by map[string]privacy.Identifier
	// next are the streams that were not read yet.
	next     []string
	followed map[privacy.Identifier]bool
	// names are those that the person told.
	names  map[privacy.Identifier]bool
	public []privacy.Identifier
	// asked is the id and the identifier that was looked for.
	asked struct {
		id   string
		told privacy.Identifier
	}
}

func newSearch(ctx context.Context, r *Register) (*search, error) {
	s := &search{
		Register: r, links: map[string]Link{}, by: map[string]privacy.Identifier{},
		followed: map[privacy.Identifier]bool{}, names: map[privacy.Identifier]bool{},
	}
	var err error
	if s.public, err = r.Public(ctx); err != nil {
		return nil, fmt.Errorf("read what is public: %w", err)
	}
	return s, nil
}

func (s *search) add(stream string, by Link) {
	if _, known := s.links[stream]; !known && stream != "" {
		s.links[stream] = by
		s.next = append(s.next, stream)
	}
}

// follow looks where else an identifier was told, that the subject of an id told.
func (s *search) follow(ctx context.Context, id privacy.Identifier, from string) error {
	if s.followed[id] || from != "" && slices.Contains(s.public, id) {
		return nil
	}
	if from != "" && id.Kind == privacy.KindName {
		s.names[id] = true
		return nil
	}
	s.followed[id] = true
	streams, err := s.Index.Subjects(ctx, id)
	if err != nil {
		return fmt.Errorf("find subjects: %w", err)
	}
	for _, stream := range streams {
		if ofPerson(stream) && s.links[stream] == (Link{}) {
			s.by[stream] = id
			s.add(stream, Link{By: string(id.Kind), From: from})
		}
	}
	return nil
}

// person reads what was found, and what that leads to, until there is nothing new.
func (s *search) person(ctx context.Context) (Person, error) {
	var p Person
	for len(s.next) > 0 {
		streams := s.next
		s.next = nil
		events, err := s.Log.ReadStreams(ctx, streams)
		if err != nil {
			return p, fmt.Errorf("read subjects: %w", err)
		}
		for stream, own := range byStream(events) {
			record, told := Fold(stream, own), Told(own)
			if by, led := s.by[stream]; led && !slices.Contains(told, by) {
				continue // somebody else wrote of this person there
			}
			record.Found = s.links[stream]
			p.Records = append(p.Records, record)
			for _, id := range told {
				if err := s.follow(ctx, id, record.ID); err != nil {
					return p, err
				}
			}
		}
	}
	var err error
	if p.Mentions, err = s.mentions(ctx); err != nil {
		return p, err
	}
	if len(p.Records)+len(p.Mentions) == 0 {
		return p, ErrNobody
	}
	slices.SortFunc(p.Records, func(a, b Record) int {
		return cmp.Or(b.CameAt.Compare(a.CameAt), cmp.Compare(a.ID, b.ID))
	})
	return p, nil
}

// byStream parts events by their streams, in order.
func byStream(events []event.Recorded) map[string][]event.Recorded {
	streams := map[string][]event.Recorded{}
	for _, e := range events {
		streams[e.Stream] = append(streams[e.Stream], e)
	}
	return streams
}

// Told are the identifiers that a person told. What the staff or the assistant wrote of others leads
// to nobody.
func Told(events []event.Recorded) []privacy.Identifier {
	var found []privacy.Identifier
	for _, e := range events {
		switch p := e.Payload.(type) {
		case *event.ContactNoteAdded, *event.AssistantReplied:
		case event.Personal:
			found = append(found, privacy.Identify(p.PersonalFields())...)
		}
	}
	return found
}
