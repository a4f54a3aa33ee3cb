package serve

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"unsafe"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"

	"bitacora/adapters/certificates"
	"bitacora/cmd/bitacora/app"
)

// ownTLS are the site's own certificates, and the ports that they are for.
type ownTLS struct {
	*certificates.Keeper
	plain, secure net.Listener
}

// listenTLS takes the ports before anything is started; nil without BITACORA_DOMAIN.
func listenTLS(ctx context.Context, a *app.App) (*ownTLS, error) {
	if len(a.Config.Domains) == 0 {
		return nil, nil
	}
	plain, err := listen("BITACORA_HTTP_ADDR", a.Config.HTTPAddr)
	if err != nil {
		return nil, err
	}
	secure, err := listen("BITACORA_HTTPS_ADDR", a.Config.HTTPSAddr)
	if err != nil {
		plain.Close()
		return nil, err
	}
	return &ownTLS{app.OpenCertificates(ctx, a), plain, secure}, nil
}

func (o *ownTLS) close() {
	if o != nil {
		o.plain.Close()
		o.secure.Close()
	}
}

// giveUpPorts drops the right to ports below 1024, which the unit gives: no engine is to inherit it, and
// bitacora doctor, which has none, could not look at this process. Root needs its rights for the engines' user.
func giveUpPorts() error {
	if os.Geteuid() == 0 {
		return nil
	}
	header, none := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, [2]unix.CapUserData{}
	if _, _, failed := psx.Syscall3(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none)), 0); failed != 0 {
		return fmt.Errorf("give up the right to low ports: %w", failed)
	}
	return nil
}

// states are those of all certificates; none without BITACORA_DOMAIN.
func (o *ownTLS) states() []certificates.State {
	if o == nil {
		return nil
	}
	return o.States()
}

// run serves HTTPS and keeps the certificates, until ctx ends.
func (o *ownTLS) run(ctx context.Context, a *app.App, url string, site http.Handler) error {
	if o == nil {
		return nil
	}
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { o.Run(ctx); return nil })
	parts.Go(func() error { return serveHTTP(ctx, a, o.plain, o.Plain(url)) })
	parts.Go(func() error { return serveHTTP(ctx, a, tls.NewListener(o.secure, o.TLS()), o.Main(url, site)) })
	return parts.Wait()
}

// certificatesReady says whether browsers can open every name; nil without BITACORA_DOMAIN.
func certificatesReady(o *ownTLS) func() error {
	if o == nil {
		return nil
	}
	return o.Missing
}
