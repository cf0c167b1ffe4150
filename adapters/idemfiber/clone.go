package idemfiber

import "strings"

// Clone returns a copy of s that stays as it is when the request is over.
func Clone(s string) string { return strings.Clone(s) }

// CloneKey is [Clone] for a key that may be missing.
func CloneKey(key *string) *string {
	if key == nil {
		return nil
	}
	clone := strings.Clone(*key)
	return &clone
}
