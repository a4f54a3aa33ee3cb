package main

import "strings"

// streamed are the formats of which the engine's blocks can be sent one after
// the other. The engine writes each block as a complete document, so any
// format with a header, a footer or brackets is correct only in one piece.
var streamed = map[string]bool{
	"Native": true, "RowBinary": true,
	"TabSeparated": true, "TSV": true, "TabSeparatedRaw": true, "TSVRaw": true, "Raw": true,
	"CSV": true, "JSONEachRow": true, "JSONLines": true, "NDJSON": true,
	"JSONCompactEachRow": true, "JSONStringsEachRow": true, "JSONCompactStringsEachRow": true,
}

// contentType is what the ClickHouse server sends for a format.
func contentType(format string) string {
	switch {
	case strings.HasPrefix(format, "TabSeparated"), strings.HasPrefix(format, "TSV"), format == "Raw":
		return "text/tab-separated-values; charset=UTF-8"
	case strings.HasPrefix(format, "CSV"):
		return "text/csv; charset=UTF-8; header=" + headerPresence(format)
	case strings.HasSuffix(format, "EachRow"), format == "NDJSON", format == "JSONLines":
		return "application/x-ndjson; charset=UTF-8"
	case strings.HasPrefix(format, "JSON"):
		return "application/json; charset=UTF-8"
	case format == "XML":
		return "application/xml; charset=UTF-8"
	case format == "Native", strings.HasPrefix(format, "RowBinary"), strings.HasPrefix(format, "Arrow"),
		format == "Parquet", format == "ORC", format == "Avro", format == "Npy", format == "MsgPack":
		return "application/octet-stream"
	}
	return "text/plain; charset=UTF-8"
}

func headerPresence(format string) string {
	if strings.Contains(format, "WithNames") {
		return "present"
	}
	return "absent"
}
