package content

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/httpapi/site"
	"bitacora/adapters/httpapi/web"
	"bitacora/adapters/markdown"
	"bitacora/adapters/pictures"
	"bitacora/adapters/render"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/clinic"
	"bitacora/webapp"
)

func newPreview() *cobra.Command {
	addr := "127.0.0.1:8090"
	c := command.Needing(command.NeedsNothing, &cobra.Command{
		Use:   "preview DIR",
		Short: "Show the site with a directory of content, without changing anything",
		Long: `Show the site with a directory of content, until Ctrl-C: on an address of its own, which only this
machine can reach, with the facts of BITACORA_CLINIC_FILE. Nothing is stored and no database is
needed. A file that is edited is seen with the next request, and so are its mistakes. The pages are
the real ones; the chat and the forms are not answered.`,
		Example: "  bitacora content preview content\n  bitacora content preview content --addr 127.0.0.1:9000",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, given []string) error {
			file, err := clinicFile(nil)
			if err != nil {
				return err
			}
			facts, err := app.ReadFacts(file)
			if err != nil {
				return err
			}
			return Preview(c.Context(), given[0], addr, facts, func(url string) {
				fmt.Fprintf(c.OutOrStdout(), "%s shows %s until Ctrl-C.\n", url, given[0])
			})
		},
	})
	c.Flags().StringVar(&addr, "addr", addr, "loopback address to listen on")
	return c
}

// Preview serves a folder's content until ctx ends; ready is told where.
func Preview(ctx context.Context, dir, addr string, facts clinic.Clinic, ready func(url string)) error {
	if !(settings.Config{Addr: addr}).OnLoopback() {
		return fmt.Errorf("--addr: %q is not an address of this machine alone, like 127.0.0.1:8090", addr)
	}
	content := &folderContent{dir: dir}
	if _, _, err := content.Read(ctx); err != nil {
		return err
	}
	bundle, err := webapp.Pages()
	if err != nil {
		return fmt.Errorf("read pages: %w", err)
	}
	pages, err := render.New(bundle)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	url := "http://" + listener.Addr().String()
	respond := web.Responder{Logger: settings.NewLogger(os.Stderr, settings.Config{})}
	cache := &site.ContentCache{Contents: content, Clinic: facts, Now: time.Now, Logger: respond.Logger}
	shown := site.New(site.Config{Content: cache, Build: webapp.Dist(), Pages: pages, Origin: url}, time.Now, respond)
	server := &http.Server{Handler: content.handler(shown, cache), ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stopped()
	ready(url)
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// folderContent is content that lies in a folder and is read anew when a file of it changes.
type folderContent struct {
	dir string

	mu      sync.Mutex
	state   string
	version int64
	sources []pictures.Source
	// made are files of pictures that were asked for before, by their names.
	made map[string][]byte
}

// Version implements [site.Contents].
func (f *folderContent) Version(context.Context) (int64, error) {
	var state strings.Builder
	err := fs.WalkDir(os.DirFS(f.dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			fmt.Fprintln(&state, name, info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("look through %s: %w", f.dir, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if state.String() != f.state {
		f.state = state.String()
		f.version++
	}
	return f.version, nil
}

// Read implements [site.Contents].
func (f *folderContent) Read(ctx context.Context) (clinic.Content, int64, error) {
	version, err := f.Version(ctx)
	if err != nil {
		return clinic.Content{}, 0, err
	}
	content, err := clinic.ReadContent(os.DirFS(f.dir), clinic.DefaultContent())
	if err != nil {
		return clinic.Content{}, 0, err
	}
	sources, err := readPictures(os.DirFS(f.dir), &content)
	if err != nil {
		return clinic.Content{}, 0, err
	}
	f.mu.Lock()
	f.sources = sources
	f.mu.Unlock()
	content, err = markdown.Content(content)
	return content, version, err
}

// PictureFile implements [site.Contents]. The first file of a picture that is asked for takes the
// seconds in which all of them are made.
func (f *folderContent) PictureFile(ctx context.Context, name string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if data, done := f.made[name]; done {
		return data, nil
	}
	if f.made == nil {
		f.made = map[string][]byte{}
	}
	for _, s := range f.sources {
		if !slices.ContainsFunc(s.Picture.Files(), func(file clinic.PictureFile) bool { return file.Name == name }) {
			continue
		}
		err := s.Make(context.WithoutCancel(ctx), func(file clinic.PictureFile, data []byte) error {
			f.made[file.Name] = data
			return nil
		})
		return f.made[name], err
	}
	return nil, clinic.ErrNoPicture
}

// handler shows the site, and in its place what is wrong in the folder.
func (f *folderContent) handler(shown *site.Site, cache *site.ContentCache) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cache.Changed()
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/"):
			shown.ServeContent(w, r)
			return
		case r.Header.Get("Sec-Fetch-Dest") == "" || r.Header.Get("Sec-Fetch-Dest") == "document":
			if _, _, err := f.Read(r.Context()); err != nil {
				w.Header().Set("Content-Type", "text/plain; charset=utf-8")
				w.WriteHeader(http.StatusUnprocessableEntity)
				fmt.Fprintln(w, err)
				return
			}
		}
		shown.ServeHTTP(w, r)
	})
}
