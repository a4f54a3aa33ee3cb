package mail

import (
	"bytes"
	_ "embed"
	"fmt"
	htmltemplate "html/template"
	"strings"
	texttemplate "text/template"
	"time"

	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
)

var (
	//go:embed summary.txt
	summaryText string
	//go:embed summary.html
	summaryHTML string
)

var (
	asText = texttemplate.Must(texttemplate.New("summary").Funcs(texttemplate.FuncMap(words)).Parse(summaryText))
	asHTML = htmltemplate.Must(htmltemplate.New("summary").Funcs(htmltemplate.FuncMap(words)).Parse(summaryHTML))
)

var words = map[string]any{"topic": topicInWords}

// Week is what the weekly summary shows.
type Week struct {
	// Period is the week, Monday to Sunday of the business zone.
	Period      analytics.Period
	Now, Before analytics.Counts
	// Closed is what began while the clinic was closed.
	Closed    analytics.Cell
	Topics    []analytics.Topic
	Questions []analytics.Question
	// Waiting people are to be called when the letter is written, Grave of them for a danger to life; Booked are the
	// appointments of the seven days that begin then.
	Waiting, Grave, Booked int
	// Site is the site's address, under which the dashboard is; empty: no link.
	Site string
	// Anchor is of the log, by which "bitacora log check" sees that nobody altered it; empty: none yet.
	Anchor string
	// Checked says that the program checked log and tables by itself, Differences how many are still there.
	Checked     bool
	Differences int
}

// Sunday is the week's last day.
func (w Week) Sunday() time.Time { return w.Period.From.AddDate(0, 0, 6) }

// Days names the week: "9 al 15 de noviembre".
func (w Week) Days() string {
	from, to := w.Period.From, w.Sunday()
	if from.Month() == to.Month() {
		return fmt.Sprintf("%d al %d de %s", from.Day(), to.Day(), clinic.MonthName(to.Month()))
	}
	return fmt.Sprintf("%d de %s al %d de %s", from.Day(), clinic.MonthName(from.Month()), to.Day(), clinic.MonthName(to.Month()))
}

// Link is a place of the dashboard, with the week where it depends on a period; empty where the site's address is unknown.
func (w Week) Link(place string) string {
	if w.Site == "" {
		return ""
	}
	week := fmt.Sprintf("desde=%s&hasta=%s", w.Period.From.Format(time.DateOnly), w.Sunday().Format(time.DateOnly))
	return w.Site + "/dashboard" + map[string]string{
		"numbers": "?" + week, "questions": "?vista=preguntas&" + week, "waiting": "/bandeja", "agenda": "/agenda",
	}[place]
}

// Figure is one number beside that of the week before.
type Figure struct {
	Label       string
	Now, Before int
}

// Change is how the number differs from the week before, in words.
func (f Figure) Change() string {
	switch {
	case f.Now == f.Before:
		return "igual que la semana anterior"
	case f.Before == 0:
		return "la semana anterior no hubo"
	}
	return fmt.Sprintf("%+.0f %% frente a %d de la semana anterior", 100*float64(f.Now-f.Before)/float64(f.Before), f.Before)
}

// Figures are the numbers of the week.
func (w Week) Figures() []Figure {
	return []Figure{
		{"Conversaciones", w.Now.Conversations, w.Before.Conversations},
		{"Leads", w.Now.Leads, w.Before.Leads},
		{"Citas", w.Now.Appointments, w.Before.Appointments},
	}
}

// topicInWords is a topic as people read it.
func topicInWords(topic string) string {
	if topic == analytics.None {
		return "Sin tema"
	}
	text := strings.ReplaceAll(topic, "-", " ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// Letter is the summary as a letter.
func (w Week) Letter(at time.Time) (Letter, error) {
	var text, html bytes.Buffer
	if err := asText.Execute(&text, w); err != nil {
		return Letter{}, fmt.Errorf("write summary: %w", err)
	}
	if err := asHTML.Execute(&html, w); err != nil {
		return Letter{}, fmt.Errorf("write summary: %w", err)
	}
	return Letter{
		ID: "resumen-" + w.Period.From.Format(time.DateOnly), Subject: "Resumen del asistente: semana del " + w.Days(),
		Text: text.String(), HTML: html.String(), At: at,
	}, nil
}

// AddressLimitLetter reports that an address wanted to begin more conversations than it may,
// for the first time on that day at the given time, in the business zone.
func AddressLimitLetter(first time.Time, site string) Letter {
	text := fmt.Sprintf("El %s, desde una misma conexión se quisieron iniciar más conversaciones de las que se permiten a una sola. "+
		"Las de más no se iniciaron y no gastan el límite del mes; las demás personas siguen conversando como siempre.\n\n"+
		"Puede ser alguien que abusa del chat, o muchas personas que comparten una red. Si la página está detrás de un proxy, "+
		"revise que BITACORA_TRUSTED_PROXIES lo nombre: si no, todas las visitas parecen venir de la misma conexión.\n", clinic.DayAndTime(first))
	if site != "" {
		text += "\n" + site + "/dashboard\n"
	}
	return Letter{
		ID: "conexion-" + first.Format(time.DateOnly), Subject: "Alguien quiso iniciar demasiadas conversaciones en el chat",
		Text: text, At: first,
	}
}

// CodesLetter reports to an account that so many wrong codes were shown with its password, at the given time in
// the business zone, that no more are compared for now.
func CodesLetter(to, accountID string, at time.Time, site string) Letter {
	text := fmt.Sprintf("El %s, alguien escribió su contraseña correcta y después demasiados códigos equivocados. "+
		"Con esos códigos no entró nadie.\n\n"+
		"Si no fue usted, otra persona conoce su contraseña: cámbiela en «Mi cuenta» y avise a quien administra las cuentas.\n\n"+
		"Usted puede seguir entrando desde un navegador en el que ya entró, o con un código de recuperación.\n", clinic.DayAndTime(at))
	if site != "" {
		text += "\n" + site + "/dashboard/cuenta\n"
	}
	return Letter{
		To: to, ID: "codigos-" + accountID + "-" + at.Format(time.DateOnly), Subject: "Alguien conoce su contraseña del dashboard", Text: text, At: at,
	}
}

// LimitLetter reports that a share of the month's conversations, in percent, is used.
func LimitLetter(l analytics.MonthlyUsage, threshold int, at, exhaustion time.Time, site string) Letter {
	subject := fmt.Sprintf("El chat ya usó el %d %% de las conversaciones del mes", threshold)
	text := fmt.Sprintf("Este mes van %d de %d conversaciones (%.1f %%).\n", l.Current, l.Limit, l.PercentageUsed)
	switch {
	case l.LimitReached:
		subject = "El chat alcanzó su límite de conversaciones del mes"
		text += "Hasta que empiece el mes que viene, el asistente no inicia conversaciones nuevas.\n"
	case !exhaustion.IsZero():
		text += fmt.Sprintf("Al ritmo de este mes, se agotarían el %d de %s.\n", exhaustion.Day(), clinic.MonthName(exhaustion.Month()))
	}
	if site != "" {
		text += "\n" + site + "/dashboard\n"
	}
	return Letter{ID: fmt.Sprintf("limite-%d-%s", threshold, at.Format("2006-01")), Subject: subject, Text: text, At: at}
}
