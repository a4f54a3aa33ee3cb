package staff

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"time"

	"bitacora/domain/analytics"
	"bitacora/domain/event"
	"bitacora/domain/spelling"
)

// sameReading is for how long the same answer to the same question is one reading.
const sameReading = time.Hour

// recordQuestions records that a list of visitors' questions is given away. The end of its period does not
// make it another list: the dashboard moves it whenever it asks again.
func (h *Handler) recordQuestions(ctx context.Context, list string, of analytics.Period, asked url.Values, rows any, conversations []string) error {
	if len(conversations) == 0 {
		return nil
	}
	asked = maps.Clone(asked)
	asked.Del("endDate")
	read := &event.VisitorTextsRead{List: list, From: of.From, To: of.To, Rows: len(conversations)}
	read.ConversationIDs = slices.Compact(slices.Sorted(slices.Values(conversations)))
	return h.recordTexts(ctx, read, asked, rows)
}

// recordSearch records that words are searched, before anything is looked up. All the numbers and pages of
// one search are one reading.
func (h *Handler) recordSearch(ctx context.Context, list string, of analytics.Period, words string, asked ...any) error {
	read := &event.VisitorTextsRead{List: list, From: of.From, To: of.To}
	read.Words = h.Log.KeyedHash("words " + spelling.Unaccented(words))
	return h.recordTexts(ctx, read, asked, nil)
}

// recordTexts records a reading, unless the same one was recorded in the same hour. The keyed hash keeps
// from its id what was asked and answered.
func (h *Handler) recordTexts(ctx context.Context, read *event.VisitorTextsRead, asked, rows any) error {
	read.StaffID = account(ctx).ID
	read.From, read.To = read.From.UTC(), read.To.UTC()
	now := h.now()
	same, err := json.Marshal([]any{read.StaffID, read.List, now.UTC().Truncate(sameReading), asked, rows})
	if err != nil {
		return fmt.Errorf("name a reading: %w", err)
	}
	err = recordAs(ctx, h.Log, event.DerivedID("texts read", h.Log.KeyedHash("reading "+string(same))), read.StaffID, read, now)
	if errors.Is(err, event.ErrIDReused) { // with another end of its period
		return nil
	}
	return err
}
