// Package offsitetest has places for copies that speak their protocols.
package offsitetest

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"net"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

// Targets are the addresses of one empty place of each kind, each with a server that speaks the protocol.
func Targets(t *testing.T) map[string]string {
	t.Helper()
	store := s3mem.New()
	if err := store.CreateBucket("clinic"); err != nil {
		t.Fatal(err)
	}
	s3 := httptest.NewServer(gofakes3.New(store).Server())
	t.Cleanup(s3.Close)
	return map[string]string{
		"folder": "file://" + t.TempDir(),
		"s3":     strings.Replace(s3.URL, "http://", "s3+http://key:secret@", 1) + "/clinic/copies?region=us-east-1",
		"sftp":   serveSFTP(t),
	}
}

// serveSFTP gives the address of a folder of this machine that is reached by SSH.
func serveSFTP(t *testing.T) string {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	config := &ssh.ServerConfig{PasswordCallback: func(c ssh.ConnMetadata, password []byte) (*ssh.Permissions, error) {
		if c.User() != "copies" || string(password) != "contraseña" {
			return nil, errors.New("refused")
		}
		return nil, nil
	}}
	config.AddHostKey(signer)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serveSSH(conn, config)
		}
	}()
	u := url.URL{Scheme: "sftp", User: url.UserPassword("copies", "contraseña"), Host: l.Addr().String(), Path: t.TempDir(),
		RawQuery: url.Values{"hostkey": {ssh.FingerprintSHA256(signer.PublicKey())}}.Encode()}
	return u.String()
}

func serveSSH(conn net.Conn, config *ssh.ServerConfig) {
	_, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for offered := range channels {
		channel, asked, err := offered.Accept()
		if err != nil {
			return
		}
		go func() {
			for r := range asked {
				r.Reply(r.Type == "subsystem", nil)
			}
		}()
		if server, err := sftp.NewServer(channel); err == nil {
			go server.Serve()
		}
	}
}
