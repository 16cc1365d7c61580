// Package version says which normcert this is.
package version

// Version is the one that CHANGELOG.md describes first.
const Version = "0.1.0"
