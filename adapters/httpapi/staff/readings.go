package staff

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/event"
	"bitacora/domain/spelling"
)

// sameReading is for how long the same answer to the same question is one reading.
const sameReading = time.Hour

// readings records which data of visitors an account reads.
type readings struct {
	log Log
	now func() time.Time
}

// record appends an event to the stream of the account that is signed in.
func (r readings) record(ctx context.Context, what event.Payload) error {
	return readUnseen(ctx, record(ctx, r.log, account(ctx).ID, what, r.now()))
}

// unrecorded refuses what nobody may read unseen.
var unrecorded = web.Problem{
	Status:     http.StatusServiceUnavailable,
	Message:    "No se pudo anotar quién lee estos datos, y sin eso no se muestran. En unos segundos se puede intentar de nuevo.",
	RetryAfter: web.RetryUnavailable,
}

// readUnseen says that a reading could not be recorded, unless whoever reads is gone.
func readUnseen(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return unrecorded.Because(err)
}

// questions records that a list of visitors' questions is given away. The end of its period does not
// make it another list: the dashboard moves it whenever it asks again.
func (r readings) questions(ctx context.Context, list string, of analytics.Period, asked url.Values, rows any, conversations []string) error {
	if len(conversations) == 0 {
		return nil
	}
	asked = maps.Clone(asked)
	asked.Del("endDate")
	read := &event.VisitorTextsRead{List: list, From: of.From, To: of.To, Rows: len(conversations)}
	read.ConversationIDs = slices.Compact(slices.Sorted(slices.Values(conversations)))
	return r.texts(ctx, read, asked, rows)
}

// search records that words are searched, before anything is looked up. All the numbers and pages of
// one search are one reading.
func (r readings) search(ctx context.Context, list string, of analytics.Period, words string, asked ...any) error {
	read := &event.VisitorTextsRead{List: list, From: of.From, To: of.To}
	read.Words = r.log.KeyedHash("words " + spelling.Unaccented(words))
	return r.texts(ctx, read, asked, nil)
}

// texts records a reading, unless the same one was recorded in the same hour. The keyed hash keeps
// from its id what was asked and answered.
func (r readings) texts(ctx context.Context, read *event.VisitorTextsRead, asked, rows any) error {
	read.StaffID = account(ctx).ID
	read.From, read.To = read.From.UTC(), read.To.UTC()
	now := r.now()
	same, err := json.Marshal([]any{read.StaffID, read.List, now.UTC().Truncate(sameReading), asked, rows})
	if err != nil {
		return fmt.Errorf("name a reading: %w", err)
	}
	err = recordAs(ctx, r.log, event.DerivedID("texts read", r.log.KeyedHash("reading "+string(same))), read.StaffID, read, now)
	if errors.Is(err, event.ErrIDReused) { // with another end of its period
		return nil
	}
	return readUnseen(ctx, err)
}
