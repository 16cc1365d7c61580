// Package schema holds the JSON Schemas (2020-12) of the protocol's messages.
package schema

import "embed"

// Files are the schemas by name.
//
//go:embed *.schema.json
var Files embed.FS

// The names: what normcert sends, and the replies to hello and to all else.
const (
	Request = "request.schema.json"
	Hello   = "hello.schema.json"
	Reply   = "reply.schema.json"
)
