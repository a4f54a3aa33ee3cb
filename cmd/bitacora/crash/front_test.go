package crash

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
)

// front is a proxy before several programs: it looks at /readyz, sends to those that are ready in
// turn, and takes another one where a connection is refused, as nginx and Caddy do.
type front struct {
	*httptest.Server
	backends []*backend
	turn     atomic.Uint64
	client   *http.Transport
	// strict has it give up where a connection is refused, as proxies do that are not told otherwise.
	strict atomic.Bool

	mu sync.Mutex
	// failed are the requests that were answered with a failure of the server, with why.
	failed []string
}

type backend struct {
	addr  string
	ready atomic.Bool
}

// clientAddress is a header by which tests say who asks; the proxy passes it on as proxies do.
const clientAddress = "X-Test-Address"

// healthRound is how often the proxy looks at a program.
const healthRound = 100 * time.Millisecond

func newFront(t *testing.T, programs ...*programtest.Program) *front {
	f := &front{client: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute}}
	ctx, stop := context.WithCancel(context.Background())
	var looking sync.WaitGroup
	for _, p := range programs {
		b := &backend{addr: p.Addr}
		f.backends = append(f.backends, b)
		looking.Go(func() { b.watch(ctx) })
	}
	f.Server = httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetXForwarded()
			if from := r.In.Header.Get(clientAddress); from != "" {
				r.Out.Header.Set("X-Forwarded-For", from)
			}
			r.Out.URL.Scheme, r.Out.Host = "http", r.In.Host
		},
		FlushInterval: -1,
		Transport:     f,
		ModifyResponse: func(a *http.Response) error {
			if a.StatusCode >= http.StatusInternalServerError {
				f.note(a.Request, a.Status)
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			f.note(r, err.Error())
			w.WriteHeader(http.StatusBadGateway)
		},
	})
	t.Cleanup(func() {
		f.Close()
		stop()
		looking.Wait()
		f.client.CloseIdleConnections()
	})
	return f
}

func (f *front) note(r *http.Request, why string) {
	if r.Context().Err() != nil {
		return // the client left
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed = append(f.failed, r.Method+" "+r.URL.Path+": "+why)
}

// failures gives those since the last call.
func (f *front) failures() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	since := f.failed
	f.failed = nil
	return since
}

// RoundTrip implements [http.RoundTripper].
func (f *front) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	err := errors.New("no program is ready")
	first := f.turn.Add(1)
	for i := range f.backends {
		b := f.backends[(first+uint64(i))%uint64(len(f.backends))]
		if !b.ready.Load() {
			continue
		}
		out := r.Clone(r.Context())
		out.URL.Host = b.addr
		out.Body, out.GetBody = io.NopCloser(bytes.NewReader(body)), nil
		var answer *http.Response
		if answer, err = f.client.RoundTrip(out); err == nil {
			return answer, nil
		}
		err = fmt.Errorf("%s: %w", b.addr, err)
		var dial *net.OpError
		if f.strict.Load() || !errors.As(err, &dial) || dial.Op != "dial" {
			return nil, err
		}
		b.ready.Store(false)
	}
	return nil, err
}

// watch looks whether a program is ready until ctx ends.
func (b *backend) watch(ctx context.Context) {
	client := http.Client{Timeout: 5 * time.Second}
	for command.Pause(ctx, healthRound) {
		answer, err := client.Get("http://" + b.addr + "/readyz")
		if err != nil {
			b.ready.Store(false)
			continue
		}
		answer.Body.Close()
		b.ready.Store(answer.StatusCode == http.StatusOK)
	}
}

// sees waits until a program is ready in the eyes of the proxy.
func (f *front) sees(p *programtest.Program) {
	p.T.Helper()
	p.Eventually("the proxy sends to "+p.Addr, time.Minute, func() error {
		for _, b := range f.backends {
			if b.addr == p.Addr && b.ready.Load() {
				return nil
			}
		}
		return errors.New("not yet")
	})
}
