package crash

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
)

// clients plays the scripts of the mix at the doors of programs that share their data, and keeps
// book of what was acknowledged.
type clients struct {
	t       testing.TB
	servers []*programtest.Program
	// app is opened anew where the engines are elsewhere.
	app  atomic.Pointer[app.App]
	seed uint64
	stop chan struct{}
	// playing are the scripts under way.
	playing sync.WaitGroup

	mu    sync.Mutex
	deck  []script
	drawn int
	// acknowledged counts what was, by what it is to bring about.
	acknowledged map[fact]int
	// marked are people of whom words stand in the tables; the erased ones of them are in erased.
	marked, erased []*client
}

// fact is something that happened, as a client knows of it and as the log tells of it.
type fact struct{ what, of string }

// forTheMix are the settings that a program needs for the mix: the secret of the external form, clients
// that say their address, and a scheduling form, without which a link that is followed leads to no booking
// and is not recorded.
func forTheMix(t testing.TB) (settings []string) {
	t.Helper()
	return []string{"BITACORA_WEBHOOK_SECRET=" + programtest.WebhookSecret, "BITACORA_TRUSTED_PROXIES=127.0.0.1/32", programtest.ClinicSetting(t, programtest.WithForm)}
}

func newClients(t testing.TB, servers ...*programtest.Program) *clients {
	c := &clients{t: t, servers: servers, seed: rand.Uint64(), stop: make(chan struct{}), acknowledged: map[fact]int{}}
	if asked := os.Getenv("BITACORA_CRASH_SEED"); asked != "" {
		var err error
		if c.seed, err = strconv.ParseUint(asked, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("BITACORA_CRASH_SEED=%d", c.seed)
	if out, err := servers[0].Run(programtest.StaffSecret, "staff", "add", programtest.StaffEmail, "--role", "owner", "--password-stdin"); err != nil {
		t.Fatalf("add staff: %v\n%s", err, out)
	}
	c.find()
	return c
}

// find opens the databases where the programs have them.
func (c *clients) find() { c.app.Store(c.servers[len(c.servers)-1].App()) }

// arrive lets n people play one script after the other, each with a pause between two steps.
func (c *clients) arrive(n int, pause time.Duration) {
	for range n {
		c.playing.Go(func() {
			for {
				select {
				case <-c.stop:
					return
				default:
				}
				s, visitor := c.draw()
				c.play(s, visitor, pause)
			}
		})
	}
}

// draw gives the next script of the deck, which is shuffled anew when it is through.
func (c *clients) draw() (script, *client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	random := rand.New(rand.NewPCG(c.seed, uint64(c.drawn)))
	if len(c.deck) == 0 {
		for _, s := range mix {
			c.deck = append(c.deck, slices.Repeat([]script{s}, s.often)...)
		}
		random.Shuffle(len(c.deck), func(i, j int) { c.deck[i], c.deck[j] = c.deck[j], c.deck[i] })
	}
	s := c.deck[0]
	c.deck = c.deck[1:]
	c.drawn++
	return s, c.client(s.name, c.drawn)
}

// client is somebody who came as the nth to play a script.
func (c *clients) client(script string, n int) *client {
	return &client{
		clients: c, random: rand.New(rand.NewPCG(c.seed, uint64(n))), servers: c.servers, session: fmt.Sprintf("%s %d", script, n),
		phone: fmt.Sprintf("2%02d-%04d", n/10_000, n%10_000), mark: "zq" + strings.Map(func(digit rune) rune { return digit - '0' + 'a' }, fmt.Sprint(n)) + "zq",
	}
}

func (c *clients) play(s script, g *client, pause time.Duration) {
	for _, do := range s.steps {
		if do(g); g.gone {
			return
		}
		time.Sleep(pause)
	}
}

// leave waits for the scripts under way, and for those that nobody has played yet.
func (c *clients) leave() {
	close(c.stop)
	c.playing.Wait()
	for c.drawn < deckSize() {
		s, visitor := c.draw()
		c.play(s, visitor, 0)
	}
}

func deckSize() (n int) {
	for _, s := range mix {
		n += s.often
	}
	return n
}

// acknowledgements is how many requests were.
func (c *clients) acknowledgements() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, times := range c.acknowledged {
		n += times
	}
	return n
}

func (c *clients) acknowledge(facts ...fact) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range facts {
		c.acknowledged[f]++
	}
}

// request is one to any of the doors.
type request struct {
	method, path, cookie string
	body, into           any
	// refusals are the statuses beside success that may be an answer.
	refusals []int
	// stored says of a successful answer, once read, whether it acknowledges anything; nil: it does.
	stored func() bool
	// signed is by the external form; once is not sent again; slow is waited for as long as there are tries.
	signed, once, slow bool
	// address is where it comes from; empty: this machine.
	address string
}

type answer struct {
	status int
	header http.Header
}

// cookie is the one that an answer sets, as a browser sends it back.
func (a answer) cookie() string {
	set, _, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
	return set
}

// browser follows no redirection, lest it leaves the clinic.
var browser = &http.Client{
	Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// ask sends a request until it is answered, and acknowledges facts where it succeeds.
func (c *client) ask(r request, facts ...fact) (a answer) {
	send := func() (err error) {
		a, err = c.send(r)
		if err == nil && a.status == http.StatusOK && r.stored != nil && !r.stored() {
			err = errors.New("answered, and not stored")
		}
		return err
	}
	if r.once {
		_ = send()
	} else {
		within := programtest.AnsweredWithin
		if r.slow { // a kill in the middle begins it anew
			within *= 5
		}
		c.untilWithin(within, r.method+" "+r.path, send)
	}
	if a.status >= 200 && a.status < 400 {
		c.acknowledge(facts...)
	}
	return a
}

// send sends a request to one of the doors. What can be tried again is an error.
func (c *client) send(r request) (a answer, err error) {
	sent, err := json.Marshal(r.body)
	if err != nil {
		return a, err
	}
	server := c.servers[c.random.IntN(len(c.servers))]
	patience := programtest.AnswerTime
	if r.slow {
		patience = programtest.AnsweredWithin
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	asked, err := http.NewRequestWithContext(ctx, r.method, "http://"+server.Addr+r.path, bytes.NewReader(sent))
	if err != nil {
		return a, err
	}
	asked.Header.Set("Content-Type", "application/json")
	if r.cookie != "" {
		asked.Header.Set("Cookie", r.cookie)
	}
	if r.address != "" {
		asked.Header.Set(clientAddress, r.address)
		asked.Header.Set("X-Forwarded-For", r.address)
	}
	if r.signed {
		now := strconv.FormatInt(time.Now().Unix(), 10)
		mac := hmac.New(sha256.New, []byte(programtest.WebhookSecret))
		fmt.Fprintf(mac, "%s.%s", now, sent)
		asked.Header.Set("X-Bitacora-Timestamp", now)
		asked.Header.Set("X-Bitacora-Signature", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	}
	got, err := browser.Do(asked)
	if err != nil {
		return a, err
	}
	defer got.Body.Close()
	said, err := io.ReadAll(got.Body)
	switch {
	case err != nil:
		return a, err
	case got.StatusCode >= 500:
		return a, &programtest.Refusal{Status: got.StatusCode, Said: string(said)}
	case got.StatusCode >= 400 && !slices.Contains(r.refusals, got.StatusCode):
		c.t.Errorf("%s %s %s: %d %s", r.method, r.path, sent, got.StatusCode, said)
	case got.StatusCode == http.StatusOK && r.into != nil:
		err = json.Unmarshal(said, r.into)
	}
	return answer{got.StatusCode, got.Header}, err
}

// until tries again, more and more rarely, until it works.
func (c *clients) until(what string, try func() error) {
	c.untilWithin(programtest.AnsweredWithin, what, try)
}

func (c *clients) untilWithin(within time.Duration, what string, try func() error) {
	err := errors.New("never tried")
	pause := 50 * time.Millisecond
	for began := time.Now(); time.Since(began) < within; time.Sleep(pause) {
		if err = try(); err == nil {
			return
		}
		pause = min(2*pause, time.Second)
	}
	c.t.Errorf("%s: not within %v: %v", what, within, err)
}
