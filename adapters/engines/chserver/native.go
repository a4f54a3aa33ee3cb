package chserver

import (
	"encoding/binary"
	"io"
	"net"
)

// httpOnly refuses clients of ClickHouse's native protocol, which would wait for an answer that HTTP does not give.
type httpOnly struct{ net.Listener }

func (l httpOnly) Accept() (net.Conn, error) {
	connection, err := l.Listener.Accept()
	if tcp, ok := connection.(*net.TCPConn); ok {
		return &beginning{TCPConn: tcp}, nil
	}
	return connection, err
}

// beginning looks at the first byte of a connection.
type beginning struct {
	*net.TCPConn
	seen bool
}

// nativeHello is the first byte of a native client, and of no request of HTTP.
const nativeHello = 0

func (b *beginning) Read(p []byte) (int, error) {
	n, err := b.TCPConn.Read(p)
	if n > 0 && !b.seen {
		b.seen = true
		if p[0] == nativeHello {
			_, _ = b.Write(nativeRefusal("This address serves HTTP only: choose the HTTP interface of your client."))
			return 0, io.EOF
		}
	}
	return n, err
}

// nativeRefusal is an exception as a native client reads it.
func nativeRefusal(text string) []byte {
	const exception, unsupportedMethod = 2, 1
	packet := binary.LittleEndian.AppendUint32([]byte{exception}, unsupportedMethod)
	for _, part := range []string{"DB::Exception", text, ""} {
		packet = append(binary.AppendUvarint(packet, uint64(len(part))), part...)
	}
	return append(packet, 0) // without another one inside
}
