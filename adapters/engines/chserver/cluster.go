package chserver

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Cluster is one of engines on this machine, which reach each other over ClickHouse's native
// protocol. Nothing stands before that: every user of the machine who connects to a node's port
// is "default" there, and reads its files. It is meant for machines of one's own.
type Cluster struct {
	// Name is what statements call it.
	Name string
	// Shards are the native ports on 127.0.0.1 of each shard's replicas.
	Shards [][]uint64
	// Port is this node's among them.
	Port uint64
}

// clusterName is also that of an element of the engine's configuration.
var clusterName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// ports are those of all nodes.
func (c Cluster) ports() []uint64 { return slices.Concat(c.Shards...) }

// MarshalText gives the form that UnmarshalText takes.
func (c Cluster) MarshalText() ([]byte, error) {
	if c.Name == "" {
		return nil, nil
	}
	shards := make([]string, len(c.Shards))
	for i, ports := range c.Shards {
		shards[i] = strings.Trim(strings.ReplaceAll(fmt.Sprint(ports), " ", ","), "[]")
	}
	return fmt.Appendf(nil, "%d@%s=%s", c.Port, c.Name, strings.Join(shards, "/")), nil
}

// UnmarshalText takes this node's port, the name, and the ports of each shard's replicas:
// 9001@name=9001,9002/9003,9004.
func (c *Cluster) UnmarshalText(text []byte) error {
	own, rest, at := strings.Cut(string(text), "@")
	name, nodes, is := strings.Cut(rest, "=")
	if !at || !is || !clusterName.MatchString(name) {
		return errors.New("it is not of the form 9001@name=9001,9002/9003,9004")
	}
	read := Cluster{Name: name}
	for shard := range strings.SplitSeq(nodes, "/") {
		var ports []uint64
		for text := range strings.SplitSeq(shard, ",") {
			port, err := strconv.ParseUint(text, 10, 16)
			if err != nil || port == 0 {
				return fmt.Errorf("%q is no port", text)
			}
			ports = append(ports, port)
		}
		read.Shards = append(read.Shards, ports)
	}
	var err error
	if read.Port, err = strconv.ParseUint(own, 10, 16); err != nil || !slices.Contains(read.ports(), read.Port) {
		return fmt.Errorf("%q is no port of a node", own)
	}
	*c = read
	return nil
}

// Terminal gives both ends of one. An engine that has it for its standard input takes itself for
// watched by a person, and logs what breaks in a connection of the native protocol; without one it
// ends itself (ClickHouse issue 115666, mended after 26.7), be it over a node that was killed or a
// question that its asker gave up. It then waits at a prompt, until the terminal is closed.
func Terminal() (stdin, input *os.File, err error) {
	in, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("open /dev/ptmx: %w", err)
	}
	input = os.NewFile(uintptr(in), "/dev/ptmx")
	if err := unix.IoctlSetPointerInt(in, unix.TIOCSPTLCK, 0); err != nil {
		return nil, nil, fmt.Errorf("unlock terminal: %w", err)
	}
	out, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(in), unix.TIOCGPTPEER, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC)
	if errno != 0 {
		return nil, nil, fmt.Errorf("open terminal: %w", errno)
	}
	return os.NewFile(out, "terminal"), input, nil
}
