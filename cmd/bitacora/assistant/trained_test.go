package assistant

import (
	"sync"
	"time"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// trainedChat is a chat service whose assistant is trained once.
var trainedChat = sync.OnceValues(func() (*chat.Service, error) {
	a := &app.App{Config: settings.Config{ReplyTimeout: time.Minute, StoreTimeout: time.Minute}, Clinic: clinic.Default()}
	return StandaloneChat(a, nil)
})
