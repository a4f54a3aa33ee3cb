package assistant

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// Why an answer is not passed on.
var (
	errNoAnswer      = errors.New("model gave no answer")
	errCutOff        = errors.New("model stopped in the middle of its answer")
	errClaimsBooking = errors.New("model claims a booking that nobody made")
)

func firstChoice(r *llms.ContentResponse) (*llms.ContentChoice, error) {
	if r == nil || len(r.Choices) == 0 || r.Choices[0] == nil {
		return nil, errNoAnswer
	}
	return r.Choices[0], nil
}

// wholeText gives the answer if the model finished it. Where the model reached its
// allowance, the whole sentences are kept; where the stream broke, langchaingo reports
// success and no reason for stopping, and nothing is kept.
func (a *Assistant) wholeText(c *llms.ContentChoice) (string, error) {
	text := strings.TrimSpace(c.Content)
	if text == "" {
		return "", errNoAnswer
	}
	switch reason := strings.ToLower(c.StopReason); reason {
	case "stop", "end_turn", "stop_sequence", "eos", "complete":
		return text, nil
	case "":
		if !a.traits.neverSaysStop {
			return "", errCutOff
		}
		fallthrough
	case "length", "max_tokens":
		if text = wholeSentences(text); text == "" {
			return "", errCutOff
		}
		return text, nil
	default:
		return "", fmt.Errorf("model stopped for the reason %q", reason)
	}
}

var sentenceEnd = regexp.MustCompile(`[.!?…](?:["»)\]]*)(?:\s|$)`)

// wholeSentences drops what follows the last end of a sentence.
func wholeSentences(text string) string {
	ends := sentenceEnd.FindAllStringIndex(text, -1)
	if len(ends) == 0 {
		return ""
	}
	return strings.TrimSpace(text[:ends[len(ends)-1][1]])
}

var link = regexp.MustCompile(`(?i)\b(?:https?://|www\.)[^\s<>"]+`)

// removedLink stands where a link was that is not the clinic's.
const removedLink = "(enlace retirado)"

// ownLinks keeps the links that lead to the clinic's own pages and removes all others.
func (a *Assistant) ownLinks(text string) string {
	return link.ReplaceAllStringFunc(text, func(found string) string {
		address := strings.TrimRight(found, ".,;:!?)]»*'")
		if slices.ContainsFunc(a.clinic.Links.All(), func(own string) bool { return sameHost(address, own) }) {
			return found
		}
		return removedLink + found[len(address):]
	})
}

func sameHost(address, own string) bool {
	a, err1 := url.Parse(address)
	o, err2 := url.Parse(own)
	return err1 == nil && err2 == nil && a.Scheme == o.Scheme && a.Host == o.Host && a.User == nil
}

var bookingClaims = regexp.MustCompile(strings.Join([]string{
	`cita (?:ya )?(?:ha sido |ha quedado |fue |quedo |queda |esta |ya esta )?(?:agendada|reservada|confirmada|programada|registrada)`,
	`\b(?:he|hemos|ha|le|te) (?:agendado|reservado|confirmado|programado|agende|reserve|confirme) `,
	`(?:agendad|reservad|confirmad|programad)[ao] (?:con exito|exitosamente|correctamente)`,
	`appointment (?:is|has been) (?:booked|confirmed|scheduled)`,
}, "|"))

// claimsBooking says whether a text tells the visitor that something is booked, which
// only a booking in the log may do.
func claimsBooking(text string) bool { return bookingClaims.MatchString(plain(text)) }
