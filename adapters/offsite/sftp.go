package offsite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

// sftpHost is a folder of a machine that is reached by SSH. Each call has a connection of its own, so that none
// hangs on one that broke unnoticed.
type sftpHost struct {
	address, dir string
	config       ssh.ClientConfig
}

// dialPatience bounds how long a connection takes to come about.
const dialPatience = 20 * time.Second

func newSFTP(u *url.URL) (Target, error) {
	wanted := u.Query().Get("hostkey")
	if u.User.Username() == "" || u.Hostname() == "" || strings.Trim(u.Path, "/") == "" || wanted == "" {
		return nil, errors.New("a folder is named as sftp://user:password@host/folder?hostkey=SHA256:…, or with identity=FILE in the place of the password")
	}
	h := &sftpHost{address: u.Host, dir: path.Clean(u.Path)}
	if u.Port() == "" {
		h.address = net.JoinHostPort(u.Hostname(), "22")
	}
	h.config = ssh.ClientConfig{User: u.User.Username(), Timeout: dialPatience, HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error {
		if found := ssh.FingerprintSHA256(key); found != strings.ReplaceAll(wanted, " ", "+") {
			return fmt.Errorf("the machine's key is %s and not the one of the address", found)
		}
		return nil
	}}
	if password, is := u.User.Password(); is {
		h.config.Auth = append(h.config.Auth, ssh.Password(password))
	}
	if file := u.Query().Get("identity"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read the identity: %w", err)
		}
		signer, err := ssh.ParsePrivateKey(text)
		if err != nil {
			return nil, fmt.Errorf("read the identity %s: %w", file, err)
		}
		h.config.Auth = append(h.config.Auth, ssh.PublicKeys(signer))
	}
	return h, nil
}

func (h *sftpHost) String() string { return "sftp://" + h.address + h.dir }

func (h *sftpHost) path(name string) string { return path.Join(h.dir, name) }

// connect gives a client that ends with ctx.
func (h *sftpHost) connect(ctx context.Context) (client *sftp.Client, end func(), err error) {
	conn, err := (&net.Dialer{Timeout: dialPatience}).DialContext(ctx, "tcp", h.address)
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	end = func() { stop(); conn.Close() }
	transport, channels, requests, err := ssh.NewClientConn(conn, h.address, &h.config)
	if err == nil {
		client, err = sftp.NewClient(ssh.NewClient(transport, channels, requests))
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return client, end, nil
}

func (h *sftpHost) Put(ctx context.Context, name string, body io.Reader) error {
	client, end, err := h.connect(ctx)
	if err != nil {
		return err
	}
	defer end()
	if _, err := client.Stat(h.dir); err != nil {
		return fmt.Errorf("find the folder %s: %w", h.dir, err)
	}
	if err := client.MkdirAll(path.Dir(h.path(name))); err != nil {
		return err
	}
	draft := h.path(name) + draftEnding
	f, err := client.Create(draft)
	if err != nil {
		return err
	}
	_, err = f.ReadFrom(body)
	if _, can := client.HasExtension("fsync@openssh.com"); can && err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return client.PosixRename(draft, h.path(name))
}

// opened is a file with the connection that it comes by.
type opened struct {
	*sftp.File
	end func()
}

func (o opened) Close() error {
	err := o.File.Close()
	o.end()
	return err
}

func (h *sftpHost) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	client, end, err := h.connect(ctx)
	if err != nil {
		return nil, err
	}
	f, err := client.Open(h.path(name))
	if err != nil {
		end()
		return nil, err
	}
	return opened{f, end}, nil
}

func (h *sftpHost) List(ctx context.Context, folder string) (names []string, err error) {
	client, end, err := h.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	for walk := client.Walk(h.path(folder)); walk.Step(); {
		switch err := walk.Err(); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		if walk.Stat().IsDir() || strings.HasSuffix(walk.Path(), draftEnding) {
			continue
		}
		names = append(names, strings.TrimPrefix(strings.TrimPrefix(walk.Path(), h.dir), "/"))
	}
	slices.Sort(names)
	return names, nil
}

func (h *sftpHost) Delete(ctx context.Context, name string) error {
	client, end, err := h.connect(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := client.Remove(h.path(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (h *sftpHost) KeepsOld(context.Context) (string, error) { return "", nil }
