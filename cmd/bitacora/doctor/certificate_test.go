package doctor

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bitacora/cmd/bitacora/programtest"
)

// TestDoctorLooksAtCertificates as serve keeps them, by a clock that moves on.
func TestDoctorLooksAtCertificates(t *testing.T) {
	const name, day = "clinica.test", 24 * time.Hour
	d := &doctor{now: time.Now}
	if f := examineCertificate(t.Context(), d); f.Status != statusOK || !strings.Contains(f.Sentence, "BITACORA_DOMAIN is empty") {
		t.Errorf("without a domain: %+v", f)
	}
	d.config.DataDir, d.config.Domains = t.TempDir(), []string{name}
	programtest.Write(t, filepath.Join(d.config.Certificates(), "problems", name), []byte("rateLimited: too many"), 0o600)
	if f := examineCertificate(t.Context(), d); f.Status != statusFailed || !strings.Contains(f.Sentence, name+" has no valid certificate: rateLimited: too many") {
		t.Errorf("without a certificate: %+v", f)
	}
	now := time.Now()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(90 * day)}
	text, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(d.config.Certificates(), "certificates", "acme-v02.api.letsencrypt.org-directory", name, name)
	programtest.Write(t, file+".crt", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: text}), 0o600)
	programtest.Write(t, file+".key", pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}), 0o600)
	programtest.Write(t, file+".json", []byte(`{"sans": ["`+name+`"]}`), 0o600)
	for passed, want := range map[time.Duration]finding{
		0:                  {Status: statusOK, Sentence: name + " until "},
		66 * day:           {Status: statusOK, Sentence: name + " until "},
		69 * day:           {Status: statusWarning, Sentence: "is not renewed: rateLimited: too many"},
		90*day + time.Hour: {Status: statusFailed, Sentence: "no valid certificate"},
		-2*time.Hour - day: {Status: statusFailed, Sentence: "no valid certificate"},
	} {
		d.now = func() time.Time { return now.Add(passed) }
		if f := examineCertificate(t.Context(), d); f.Status != want.Status || !strings.Contains(f.Sentence, want.Sentence) {
			t.Errorf("after %v: %+v", passed, f)
		}
	}
}
