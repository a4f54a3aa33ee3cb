package eventlog

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/assistant"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

func newLogMask() *cobra.Command {
	c := app.LogCommand("mask", "Mask what was said as it would be masked today", "  bitacora log mask    # after an update that masks more",
		cobra.NoArgs, maskLog)
	command.WhenLeft(c, command.LeavesPart)
	c.Long = `Mask earlier texts as this program masks new ones: by its patterns, and by all names and contacts of the
same conversation. Changed texts are appended, and the tables follow. A repetition changes nothing.`
	return c
}

func maskLog(ctx context.Context, a *app.App, _ []string) error {
	service := assistant.NewChatService(a, a.DB.Log())
	messages, conversations, busy := 0, 0, 0
	head, err := a.DB.Log().Head(ctx)
	if err != nil {
		return err
	}
	for at := int64(0); at < head; {
		events, err := a.DB.Log().ScanClear(ctx, at, head, app.ReadBatch)
		if err != nil {
			return err
		}
		for _, e := range events {
			at = e.Position
			started, ok := e.Payload.(*event.ConversationStarted)
			if !ok {
				continue
			}
			changed, err := service.MaskAgain(ctx, started.ConversationID)
			switch {
			case errors.Is(err, chat.ErrBusy):
				busy++
			case err != nil:
				return err
			case changed > 0:
				messages += changed
				conversations++
			}
		}
	}
	fmt.Printf("%d messages of %d conversations are masked anew\n", messages, conversations)
	if busy > 0 {
		return fmt.Errorf("%d conversations were too busy; try again", busy)
	}
	return nil
}
