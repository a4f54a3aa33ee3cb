package assistant

import (
	"sync"
	"time"
)

// A provider that failed so often in a row is not asked for a while.
const (
	failuresToOpen = 4
	openFor        = 30 * time.Second
)

// breaker keeps visitors from waiting for a provider that is down.
type breaker struct {
	now      func() time.Time
	mu       sync.Mutex
	failures int
	until    time.Time
}

// allows says whether the provider may be asked. After that time one question at a
// time tries it.
func (b *breaker) allows() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures < failuresToOpen {
		return true
	}
	if b.now().Before(b.until) {
		return false
	}
	b.until = b.now().Add(openFor)
	return true
}

// closed says that the provider is asked.
func (b *breaker) closed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures < failuresToOpen
}

func (b *breaker) record(ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ok {
		b.failures = 0
		return
	}
	if b.failures++; b.failures >= failuresToOpen {
		b.until = b.now().Add(openFor)
	}
}
