package render

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"
)

const scripted = `var site = {
	render: (path, data) => {
		if (path === "/throws") throw new Error("broken");
		if (path === "/hangs") for (;;);
		if (path === "/later") return Promise.resolve().then(() => ({ html: "later", head: "", status: 200 }));
		if (path === "/never") return new Promise(() => {});
		if (path === "/odd") return { html: "x" };
		return { html: path + data["/api/x"].name, head: "<title>á</title>", status: 200 };
	},
	head: (path) => ({ head: "<title>head</title>", status: 200 }),
};`

var data = map[string]json.RawMessage{"/api/x": json.RawMessage(`{"name": "é</script>"}`)}

func TestRender(t *testing.T) {
	r, err := New([]byte(scripted))
	if err != nil {
		t.Fatal(err)
	}
	page, err := r.Render(t.Context(), "/a", data)
	if want := (Page{HTML: "/aé</script>", Head: "<title>á</title>", Status: 200}); err != nil || page != want {
		t.Errorf("page = %+v, %v", page, err)
	}
	if page, err := r.Render(t.Context(), "/later", data); err != nil || page.HTML != "later" {
		t.Errorf("promised page = %+v, %v", page, err)
	}
}

func TestAPageThatFailsStillHasItsHead(t *testing.T) {
	r, err := New([]byte(scripted))
	if err != nil {
		t.Fatal(err)
	}
	r.patience = 200 * time.Millisecond
	for path, reason := range map[string]string{
		"/throws": "broken", "/hangs": "too long", "/never": "does not come", "/odd": "status 0",
	} {
		page, err := r.Render(t.Context(), path, data)
		if err == nil || !strings.Contains(err.Error(), reason) || page.Head != "<title>head</title>" || page.HTML != "" {
			t.Errorf("%s: %+v, %v", path, page, err)
		}
		if page, err := r.Render(t.Context(), "/a", data); err != nil || page.Status != 200 {
			t.Errorf("after %s: %+v, %v", path, page, err)
		}
	}
}

func TestRenderingAtOnce(t *testing.T) {
	r, err := New([]byte(scripted))
	if err != nil {
		t.Fatal(err)
	}
	var visitors sync.WaitGroup
	for range 20 {
		visitors.Go(func() {
			if page, err := r.Render(t.Context(), "/a", data); err != nil || page.Status != 200 {
				t.Errorf("page = %+v, %v", page, err)
			}
		})
	}
	visitors.Wait()
}

func TestRenderingForNobody(t *testing.T) {
	r, err := New([]byte(scripted))
	if err != nil {
		t.Fatal(err)
	}
	first, second := <-r.pool, <-r.pool
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Render(ctx, "/a", data); err == nil {
		t.Error("a page was rendered without a machine")
	}
	r.pool <- first
	r.pool <- second
}

func TestABundleThatIsNone(t *testing.T) {
	if _, err := New([]byte("var site = {")); err == nil {
		t.Error("a broken script was compiled")
	}
	r, err := New([]byte("var place = {}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Render(t.Context(), "/", nil); err == nil {
		t.Error("a page was rendered by a script that leaves no site")
	}
}
