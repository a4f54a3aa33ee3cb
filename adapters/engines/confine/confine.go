// Package confine takes from a process what it does not need of the file system, with
// Landlock: whoever may ask an engine a question can have it read what its process can.
package confine

import landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"

// leastABI is Landlock's of Linux 5.19. Before, it forbids every move between directories,
// without which ClickHouse drops no table.
const leastABI = 2

// Missing is what to say where it is not [Possible].
const Missing = "this kernel has no Landlock (Linux 5.19 or newer): who may ask the embedded ClickHouse can have it read every file that the engines' user can"

// Possible says whether this kernel can confine a process.
func Possible() bool { return abi() >= leastABI }

// abi is the version of the kernel's Landlock; 0 where it has none.
func abi() int {
	version, err := landlock.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	return version
}

// Rights to a file, or to what lies beneath a directory.
type Rights uint64

// What the paths that remain are for.
const (
	Read  Rights = landlock.AccessFSReadFile | landlock.AccessFSReadDir
	Run          = Read | landlock.AccessFSExecute
	Write        = Read | landlock.AccessFSWriteFile | landlock.AccessFSTruncate | landlock.AccessFSRefer |
		landlock.AccessFSRemoveDir | landlock.AccessFSRemoveFile | landlock.AccessFSMakeDir | landlock.AccessFSMakeReg | landlock.AccessFSMakeSym

	ofFiles = landlock.AccessFSReadFile | landlock.AccessFSWriteFile | landlock.AccessFSTruncate | landlock.AccessFSExecute
)

// Ports of TCP that a process may listen on (0: any that is free) and connect to.
type Ports struct{ Bind, Connect []uint64 }
