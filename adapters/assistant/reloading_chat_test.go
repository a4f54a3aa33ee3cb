package assistant

import (
	"context"
	"errors"
	"testing"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// edited is content of one service, whose name is its version.
type edited struct {
	service string
	err     error
}

func (e *edited) Published(context.Context) (clinic.Content, string, error) {
	return clinic.Content{Services: []clinic.Service{{Slug: e.service, Title: e.service}}}, e.service, e.err
}

func TestAReloadingChatKnowsTheContentOfNow(t *testing.T) {
	away := errors.New("away")
	contents := &edited{err: away}
	a, queue := newTestAssistant(t), new(chat.Queue)
	if _, err := NewReloadingChat(t.Context(), &chat.Service{}, a, contents); !errors.Is(err, away) {
		t.Errorf("without any content: %v", err)
	}
	contents.service, contents.err = "ortodoncia", nil
	r, err := NewReloadingChat(t.Context(), &chat.Service{Clinic: clinic.Default(), Queue: queue}, a, contents)
	if err != nil {
		t.Fatal(err)
	}
	var before *chat.Service
	for _, step := range []struct {
		edited edited
		knows  string
		same   bool
	}{
		{edited{"ortodoncia", nil}, "ortodoncia", false},
		{edited{"ortodoncia", nil}, "ortodoncia", true},
		{edited{"implantes", nil}, "implantes", false},
		{edited{"endodoncia", away}, "implantes", true},
		{edited{"endodoncia", nil}, "endodoncia", false},
	} {
		*contents = step.edited
		service, err := r.current(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, knows := service.Clinic.Service(step.knows); !knows || len(service.Clinic.Services) != 1 {
			t.Errorf("%+v: the services are %+v", step.edited, service.Clinic.Services)
		}
		if (service == before) != step.same {
			t.Errorf("%+v: the same service is %v", step.edited, service == before)
		}
		if service.Queue != queue || service.Understander == nil || service.Assistant == nil || service.Danger == nil {
			t.Errorf("%+v: %+v", step.edited, service)
		}
		before = service
	}
	if _, heard := r.InDanger("cancelen mi cita, a donde voy no la necesito"); !heard {
		t.Error("a farewell is not heard where its message is not taken")
	}
}
