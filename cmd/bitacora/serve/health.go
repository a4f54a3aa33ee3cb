package serve

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/settings"
)

// healthTimeout is how long a program may take to say whether it is ready.
const healthTimeout = 5 * time.Second

// NewHealth is "bitacora health".
func NewHealth() *cobra.Command {
	return command.Needing(command.NeedsNothing, &cobra.Command{
		Use:   "health",
		Short: "Ask the running program whether it serves visitors, for health checks",
		Long: `Ask the running program whether it serves visitors, as GET /readyz at BITACORA_ADDR does, and print
what it says. It needs no database, so that containers can call it every few seconds.`,
		Example: "  bitacora health",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, err := settings.Load(os.Environ())
			if err != nil {
				return command.Misuse(fmt.Errorf("configuration:\n%w", err))
			}
			return health(c.Context(), os.Stdout, cfg.Addr)
		},
	})
}

func health(ctx context.Context, out io.Writer, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+HereAt(addr)+"/readyz", nil)
	if err != nil {
		return fmt.Errorf("ask for health: %w", err)
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		return fmt.Errorf("ask for health: %w", err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	if err != nil {
		return fmt.Errorf("ask for health: %w", err)
	}
	fmt.Fprintln(out, strings.TrimSpace(string(text)))
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the program does not serve visitors: %s", answer.Status)
	}
	return nil
}

// HereAt is where this machine reaches what listens on an address, which may stand for all of its own.
func HereAt(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
