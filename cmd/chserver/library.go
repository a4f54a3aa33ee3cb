package main

import (
	"fmt"

	"github.com/ebitengine/purego"
)

// library is the part of the C interface of libchdb.so that this program uses.
// A handle of zero is C's NULL. Every result must be given back to
// destroyResult, also one that carries an error.
type library struct {
	version              func() string
	connect              func(argc int32, argv **byte) *uintptr
	close                func(connection *uintptr)
	query                func(connection uintptr, sql *byte, sqlSize uintptr, format *byte, formatSize uintptr, names **byte, nameSizes *uintptr, values **byte, valueSizes *uintptr, count uintptr) uintptr
	stream               func(connection uintptr, sql *byte, sqlSize uintptr, format *byte, formatSize uintptr, names **byte, nameSizes *uintptr, values **byte, valueSizes *uintptr, count uintptr) uintptr
	fetch                func(connection, stream uintptr) uintptr
	cancelStream         func(connection, stream uintptr)
	insert               func(connection uintptr, sql *byte, sqlSize uintptr, format *byte, formatSize uintptr, names **byte, nameSizes *uintptr, values **byte, valueSizes *uintptr, count uintptr) uintptr
	appendInsert         func(stream uintptr, data *byte, size uintptr) int32
	doneInsert           func(stream uintptr) uintptr
	cancelInsert         func(stream uintptr)
	insertError          func(stream uintptr) string
	destroyInsert        func(stream uintptr)
	classify             func(connection uintptr, sql *byte, sqlSize uintptr, database *byte, databaseSize uintptr, out *analysis) int32
	destroyResult        func(result uintptr)
	resultBuffer         func(result uintptr) *byte
	resultLength         func(result uintptr) uintptr
	resultError          func(result uintptr) string
	resultRowsWritten    func(result uintptr) uint64
	resultBytesWritten   func(result uintptr) uint64
	resultRowsRead       func(result uintptr) uint64
	resultBytesRead      func(result uintptr) uint64
	resultStorageRows    func(result uintptr) uint64
	resultStorageBytes   func(result uintptr) uint64
	enableSignalHandlers func(enabled int32)
}

// openLibrary loads libchdb.so and binds its functions. It starts no engine.
func openLibrary(path string) (lib *library, err error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("load library: %w", err)
	}
	lib = &library{}
	for name, function := range map[string]any{
		"chdb_version":                     &lib.version,
		"chdb_connect":                     &lib.connect,
		"chdb_close_conn":                  &lib.close,
		"chdb_query_with_params_n":         &lib.query,
		"chdb_stream_query_with_params_n":  &lib.stream,
		"chdb_stream_fetch_result":         &lib.fetch,
		"chdb_stream_cancel_query":         &lib.cancelStream,
		"chdb_stream_insert_with_params_n": &lib.insert,
		"chdb_stream_append":               &lib.appendInsert,
		"chdb_stream_done":                 &lib.doneInsert,
		"chdb_stream_cancel_insert":        &lib.cancelInsert,
		"chdb_stream_insert_error":         &lib.insertError,
		"chdb_destroy_insert_stream":       &lib.destroyInsert,
		"chdb_classify_query_n":            &lib.classify,
		"chdb_destroy_query_result":        &lib.destroyResult,
		"chdb_result_buffer":               &lib.resultBuffer,
		"chdb_result_length":               &lib.resultLength,
		"chdb_result_error":                &lib.resultError,
		"chdb_result_rows_written":         &lib.resultRowsWritten,
		"chdb_result_bytes_written":        &lib.resultBytesWritten,
		"chdb_result_rows_read":            &lib.resultRowsRead,
		"chdb_result_bytes_read":           &lib.resultBytesRead,
		"chdb_result_storage_rows_read":    &lib.resultStorageRows,
		"chdb_result_storage_bytes_read":   &lib.resultStorageBytes,
		"chdb_set_signal_handlers_enabled": &lib.enableSignalHandlers,
	} {
		symbol, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, fmt.Errorf("load library: %w", err)
		}
		purego.RegisterFunc(function, symbol)
	}
	return lib, nil
}
