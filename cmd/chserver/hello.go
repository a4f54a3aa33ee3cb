package main

import (
	"github.com/ClickHouse/ch-go/proto"
)

// helloQuery is the first query of every clickhouse-go connection over HTTP.
const helloQuery = "SELECT displayName(), version(), revision(), timezone()"

// hello answers helloQuery. The engine writes Native blocks of revision 0 and
// cannot be told otherwise. The driver reads this one block at its own
// revision and all later ones at the revision that the block names, so it is
// written at the driver's and names 0.
func hello(displayName, version, timezone string) []byte {
	var b proto.Buffer
	b.PutUVarInt(1) // field 1 of the block info
	b.PutBool(false)
	b.PutUVarInt(2) // field 2
	b.PutInt32(-1)
	b.PutUVarInt(0) // no more fields
	b.PutUVarInt(4) // columns
	b.PutUVarInt(1) // rows
	column := func(name, kind string) {
		b.PutString(name)
		b.PutString(kind)
		b.PutBool(false) // default serialization
	}
	column("displayName()", "String")
	b.PutString(displayName)
	column("version()", "String")
	b.PutString(version)
	column("revision()", "UInt32")
	b.PutUInt32(0)
	column("timezone()", "String")
	b.PutString(timezone)
	return b.Buf
}
