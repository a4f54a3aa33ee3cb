package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"bitacora/adapters/assistant"
	"bitacora/adapters/engines"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/mail"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/content"
)

func examineAssistant(_ context.Context, d *doctor) finding {
	spec, err := d.config.AssistantSpec()
	if err == nil {
		_, err = assistant.New(spec, d.clinic)
	}
	if err != nil {
		return failed(err.Error(), advise("set BITACORA_ASSISTANT to one of those that bitacora serve --help lists"))
	}
	return fine("%s", spec)
}

// examineMail signs in to the mail server, and looks for letters that wait.
func examineMail(ctx context.Context, d *doctor) finding {
	if d.config.SMTPURL == "" {
		folder := app.OutboxFolder(d.app())
		n, err := folder.Waiting()
		switch {
		case err != nil:
			return failed(err.Error(), advise("see that %s can be read", folder.Dir()))
		case n > 0:
			return warn(fmt.Sprintf("%d letters wait in %s: there is no mail server, so somebody has to look at them", n, folder.Dir()), advise("set BITACORA_SMTP_URL and BITACORA_MAIL_TO"))
		case d.config.Public():
			return warn("there is no mail server: letters to the staff are kept in "+folder.Dir(), advise("set BITACORA_SMTP_URL and BITACORA_MAIL_TO"))
		}
		return fine("letters to the staff are kept in %s", folder.Dir())
	}
	server, err := mail.NewServer(d.config.SMTPURL, d.clinic.Email, d.config.MailTo)
	if err != nil {
		return failed(err.Error(), advise("correct BITACORA_SMTP_URL and BITACORA_MAIL_TO"))
	}
	waiting := d.lettersWait(ctx)
	switch err := server.Check(ctx); {
	case errors.Is(err, mail.ErrLogin):
		return failed(err.Error()+waiting, advise("correct user and password in BITACORA_SMTP_URL"))
	case err != nil:
		return failed(err.Error()+waiting, advise("see that the server of BITACORA_SMTP_URL can be reached from here; letters are tried for 72 hours"))
	case waiting != "":
		return warn("the mail server takes letters"+waiting, advise("look again in a minute; the log of bitacora serve says why one is not taken"))
	}
	return fine("the mail server at %s takes letters", HostOf(d.config.SMTPURL))
}

// lettersWait reports that the log has events after the last one with a letter; empty if it has none, or
// that is unknown.
func (d *doctor) lettersWait(ctx context.Context) string {
	if d.answerOf(engines.Postgres) != nil {
		return ""
	}
	through, _, err := d.db.DataThrough(ctx, mail.Topic)
	if err != nil {
		return ""
	}
	head, err := d.db.Log().Head(ctx)
	if err != nil || head <= through {
		return ""
	}
	return fmt.Sprintf("; letters about the last %d events wait", head-through)
}

// examineProxy looks at what is in front of the site, as it is set and as a running program met it on
// the day before.
func examineProxy(ctx context.Context, d *doctor) finding {
	if strings.HasPrefix(d.config.SiteURL, "https:") && len(d.config.TrustedProxies) == 0 && len(d.config.Domains) == 0 {
		return failed("BITACORA_SITE_URL is https, and no proxy that could end it is named: all visitors count as one address", set("BITACORA_TRUSTED_PROXIES=127.0.0.1/32").or(advise("or the network of the proxy, where it is on another machine")))
	}
	if d.answerOf(engines.Postgres) != nil {
		return unasked(engines.Postgres)
	}
	met, err := postgres.UnnamedProxies(ctx, d.db, d.now())
	if err != nil {
		return unread(err)
	}
	for _, p := range met {
		named := slices.ContainsFunc(d.config.TrustedProxies, func(n netip.Prefix) bool { return n.Contains(p.Address) })
		at := p.SeenAt.In(d.clinic.Zone).Format(time.DateTime)
		switch {
		case p.Header == postgres.NoHeader && named:
			return warn(fmt.Sprintf("the proxy %s handed a request on without X-Forwarded-For on %s: all visitors behind it count as one address", p.Address, at),
				advise("let it add X-Forwarded-For and X-Forwarded-Proto; if somebody asked from that machine itself, there is nothing to do"))
		case p.Header != postgres.NoHeader && !named:
			return failed(fmt.Sprintf("%s sent %s on %s and is not named: all visitors behind it count as one address", p.Address, p.Header, at),
				set("BITACORA_TRUSTED_PROXIES=%s", netip.PrefixFrom(p.Address, p.Address.BitLen())).or(
					advise("if it is not the proxy in front of the site, a visitor sent the header, which does no harm")))
		}
	}
	if len(d.config.TrustedProxies) == 0 {
		return fine("none named, and none was met in the last 24 hours")
	}
	return fine("%d networks named, and no other was met in the last 24 hours", len(d.config.TrustedProxies))
}

// certificatePatience is how long before its end a certificate should have been renewed.
const certificatePatience = 14 * 24 * time.Hour

// examineAddress asks the site under the address that visitors use.
func examineAddress(ctx context.Context, d *doctor) finding {
	if d.config.SiteURL == "" {
		return fine("none is set: links lead to the address that bitacora serve listens on")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(d.config.SiteURL, "/")+"/healthz", nil)
	if err != nil {
		return failed(err.Error(), advise("correct BITACORA_SITE_URL"))
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(request)
	if untrusted := new(tls.CertificateVerificationError); errors.As(err, &untrusted) {
		return failed(fmt.Sprintf("browsers would refuse %s: %v", d.config.SiteURL, untrusted.Err), advise("renew the certificate of the proxy, or correct BITACORA_SITE_URL"))
	}
	if err != nil {
		return warn(fmt.Sprintf("%s cannot be reached from here: %v", d.config.SiteURL, err), advise("try it from a telephone; is bitacora serve running, and the proxy in front?"))
	}
	defer answer.Body.Close()
	var health contract.Health
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	if err != nil || answer.StatusCode != http.StatusOK || json.Unmarshal(text, &health) != nil || health.Status != contract.HealthStatusOk {
		return failed(fmt.Sprintf("%s answers %s, and it is not this program", d.config.SiteURL, answer.Status), advise("let the proxy lead to BITACORA_ADDR, or correct BITACORA_SITE_URL"))
	}
	if answer.TLS != nil && len(d.config.Domains) == 0 {
		if left := answer.TLS.PeerCertificates[0].NotAfter.Sub(d.now()); left < certificatePatience {
			return warn(fmt.Sprintf("the certificate of %s ends in %d days", d.config.SiteURL, int(left.Hours()/24)), advise("renew it; the proxy should do so by itself"))
		}
	}
	return fine("%s answers", d.config.SiteURL)
}

// examineCertificate looks at the certificates that serve gets itself, and at why it gets none.
func examineCertificate(ctx context.Context, d *doctor) finding {
	if len(d.config.Domains) == 0 {
		return fine("serve gets none: BITACORA_DOMAIN is empty")
	}
	keeper := app.OpenCertificates(ctx, d.app())
	todo := advise("see that the name leads to this machine, and that ports 80 and 443 are open to the Internet; bitacora serve tries again within the hour")
	var said []string
	for _, s := range keeper.States() {
		cause := cmp.Or(s.Problem, "bitacora serve has not tried yet")
		switch {
		case !s.Valid(d.now()):
			return failed(fmt.Sprintf("%s has no valid certificate: %s", s.Domain, cause), todo)
		case s.Late(d.now()):
			return warn(fmt.Sprintf("the certificate of %s ends on %s and is not renewed: %s", s.Domain, s.NotAfter.Format(time.DateOnly), cause), todo)
		}
		said = append(said, fmt.Sprintf("%s until %s", s.Domain, s.NotAfter.Format(time.DateOnly)))
	}
	return fine("%s", strings.Join(said, ", "))
}

func examinePlaceholders(_ context.Context, d *doctor) finding {
	made := app.MadeUp(d.clinic)
	if len(made) == 0 {
		return fine("every fact is the clinic's own")
	}
	said := "still made up are " + strings.Join(made, ", ")
	if d.app().Presentable() != nil {
		return failed(said+", and the site is public: bitacora serve does not start", advise("tell them in the clinic's file; bitacora clinic check lists them"))
	}
	return warn(said, advise("bitacora clinic check lists them"))
}

// examineContent looks for what the site says of itself and of its patients that is made up.
func examineContent(ctx context.Context, d *doctor) finding {
	texts, version, err := d.db.Content().Read(ctx)
	if err != nil {
		return unread(err)
	}
	if version == 0 {
		return fine("none yet; bitacora serve begins with the texts that the program brings along")
	}
	if others := content.OthersTexts(d.clinic, texts); len(others) > 0 {
		return warn("the site still has the program's invented texts in "+strings.Join(others, ", "), advise("bitacora content export DIR, edit it, and bitacora content import DIR"))
	}
	return fine("version %d", version)
}

// examineNumbers reminds of checking the numbers which people in danger are told.
func examineNumbers(_ context.Context, d *doctor) finding {
	numbers := strings.Join(slices.DeleteFunc([]string{d.clinic.EmergencyInEnglish(), d.clinic.CrisisLine.Phone, d.clinic.CrisisLine.WhatsApp}, func(n string) bool { return n == "" }), ", ")
	checked := "at an unknown time"
	if !d.clinic.NumbersChecked.IsZero() {
		checked = "on " + d.clinic.NumbersChecked.Format(time.DateOnly)
	}
	said := fmt.Sprintf("people in danger are told to call %s, last checked %s", numbers, checked)
	if d.clinic.NumbersDue(d.now()) {
		return warn(said, advise("call them, and write the day into the clinic's file as \"numbersChecked\""))
	}
	return fine("%s", said)
}
