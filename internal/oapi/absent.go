package oapi

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/model"
)

// absent returns what is hashed for a value that is missing in an object that is
// there: its default, which the validating middleware fills in and oapi-codegen
// does not, so that both hash alike.
func (r *resolver) absent(node *model.Node) string {
	if node.Default == nil {
		return absentCall
	}
	value, err := decodeDefault(*node.Default)
	if err == nil && value == nil {
		return absentCall
	}
	var calls []string
	if err == nil {
		calls, err = r.defaultCalls(node, value)
	}
	if err != nil {
		r.refuse(node, fmt.Sprintf("has the default %s, which idemgen cannot apply: %v", *node.Default, err), "mend the default, or "+leaveOut(node))
		return ""
	}
	return strings.Join(calls, "\n")
}

// decodeDefault keeps numbers as they are written.
func decodeDefault(text string) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return value, nil
}

// defaultCalls writes the statements that hash a value which is known beforehand.
func (r *resolver) defaultCalls(node *model.Node, value any) ([]string, error) {
	switch node.Kind {
	case model.Object:
		members, ok := value.(map[string]any)
		if !ok {
			return nil, errors.New("it is no object")
		}
		return r.memberCalls(node, members)
	case model.List:
		items, ok := value.([]any)
		if !ok {
			return nil, errors.New("it is no array")
		}
		return r.listCalls(node, items)
	case model.Map:
		entries, ok := value.(map[string]any)
		if !ok {
			return nil, errors.New("it is no object")
		}
		return r.mapCalls(node, entries)
	case model.JSON:
		return jsonCalls(value)
	}
	call, err := r.leafCall(node, value)
	return []string{call}, err
}

// memberCalls hashes the members of an object. Those that it leaves out have
// their own defaults.
func (r *resolver) memberCalls(node *model.Node, members map[string]any) ([]string, error) {
	var calls []string
	for _, member := range node.Members {
		inner, err := r.memberCall(member, members[member.Name])
		if err != nil {
			return nil, err
		}
		calls = append(calls, inner...)
	}
	return calls, nil
}

func (r *resolver) memberCall(member *model.Node, value any) (calls []string, err error) {
	if value == nil && member.Default != nil {
		if value, err = decodeDefault(*member.Default); err != nil {
			return nil, err
		}
	}
	if member.Kind == model.Object {
		return r.objectCall(member, value)
	}
	inner := []string{absentCall}
	if value != nil {
		inner, err = r.defaultCalls(member, value)
	} else if member.Zero && !isNilableKind(member.Kind) {
		err = fmt.Errorf("%q is missing in it", member.Name)
	}
	return append([]string{fmt.Sprintf("h.Field(%q)", member.Path)}, inner...), err
}

// objectCall hashes a member that is an object, and may be missing.
func (r *resolver) objectCall(member *model.Node, value any) ([]string, error) {
	switch {
	case value == nil && member.Zero:
		value = map[string]any{}
	case value == nil:
		return []string{"h.Skip(" + quotedPaths(member) + ")"}, nil
	}
	return r.defaultCalls(member, value)
}

func quotedPaths(node *model.Node) string {
	var paths []string
	for _, leaf := range node.Leaves() {
		paths = append(paths, strconv.Quote(leaf.Path))
	}
	return strings.Join(paths, ", ")
}

// isNilableKind reports whether the Go value of a kind can be missing without a
// pointer.
func isNilableKind(kind model.Kind) bool {
	return slices.Contains([]model.Kind{model.List, model.Map, model.Bytes, model.JSON}, kind)
}

func (r *resolver) listCalls(node *model.Node, items []any) ([]string, error) {
	start, before, end := "h.List(%d)", []string(nil), []string(nil)
	if node.Unordered {
		start, before, end = "h.Multiset(%d)", []string{"h.Element()"}, []string{"h.EndMultiset()"}
	}
	calls := []string{fmt.Sprintf(start, len(items))}
	for _, item := range items {
		inner, err := r.elementCalls(node.Elem, item)
		if err != nil {
			return nil, err
		}
		calls = append(append(calls, before...), inner...)
	}
	return append(calls, end...), nil
}

func (r *resolver) mapCalls(node *model.Node, entries map[string]any) ([]string, error) {
	calls := []string{fmt.Sprintf("h.Map(%d)", len(entries))}
	for _, key := range sortedKeys(entries) {
		inner, err := r.elementCalls(node.Elem, entries[key])
		if err != nil {
			return nil, err
		}
		calls = append(append(calls, "h.Key("+strconv.Quote(key)+")"), inner...)
	}
	return calls, nil
}

// elementCalls hashes an entry of a default list or map.
func (r *resolver) elementCalls(node *model.Node, value any) ([]string, error) {
	switch {
	case value == nil && node.Nullable:
		return []string{"h.Null()"}, nil
	case value == nil && node.Zero && !isNilableKind(node.Kind):
		return nil, errors.New("it holds null")
	case value == nil:
		return []string{absentCall}, nil
	}
	return r.defaultCalls(node, value)
}

func jsonCalls(value any) ([]string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return []string{"h.JSON([]byte(" + strconv.Quote(string(text)) + "))"}, nil
}

func (r *resolver) leafCall(node *model.Node, value any) (string, error) {
	switch value := value.(type) {
	case bool:
		if node.Kind == model.Boolean {
			return fmt.Sprintf("h.Bool(%t)", value), nil
		}
	case json.Number:
		switch node.Kind {
		case model.Integer:
			return integerCall(value.String())
		case model.Number:
			return numberCall(value.String(), node.Format)
		}
	case string:
		return r.textCall(node, value)
	}
	return "", fmt.Errorf("it is not %s", describe(node))
}

func integerCall(text string) (string, error) {
	number, ok := exactNumber(text)
	if !ok || !number.IsInt() || !number.Num().IsInt64() {
		return "", errors.New("it is no integer of 64 bits")
	}
	return fmt.Sprintf("h.Int(%d)", number.Num().Int64()), nil
}

// exactNumber reads a JSON number, unless its exponent makes it absurdly long.
func exactNumber(text string) (*big.Rat, bool) {
	if _, exponent, ok := strings.Cut(strings.ToLower(text), "e"); ok {
		if n, err := strconv.Atoi(exponent); err != nil || n > 400 || n < -400 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

func numberCall(text, format string) (string, error) {
	size := 64
	if format == "float" {
		size = 32
	}
	number, err := strconv.ParseFloat(text, size)
	if err != nil || math.IsInf(number, 0) {
		return "", errors.New("it is out of range")
	}
	if number == 0 {
		number = 0 // -0 is 0
	}
	return "h.Float(" + strconv.FormatFloat(number, 'g', -1, 64) + ")", nil
}

func (r *resolver) textCall(node *model.Node, text string) (string, error) {
	switch node.Kind {
	case model.String:
		return stringCall(node, strconv.Quote(text)), nil
	case model.Bytes:
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return "", errors.New("it is not base64")
		}
		return "h.Bytes([]byte(" + strconv.Quote(string(data)) + "))", nil
	case model.UUID:
		return uuidCall(text)
	case model.Date:
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			return "", errors.New("it is no date")
		}
		r.imports["time"] = true
		return fmt.Sprintf("h.Date(time.Unix(%d, 0).UTC())", day.Unix()), nil
	case model.Instant:
		instant, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return "", errors.New("it is no date-time with an offset")
		}
		r.imports["time"] = true
		return fmt.Sprintf("h.Time(time.Unix(%d, %d).UTC())", instant.Unix(), instant.Nanosecond()), nil
	}
	return "", fmt.Errorf("it is not %s", describe(node))
}

func uuidCall(text string) (string, error) {
	groups := strings.Split(text, "-")
	data, err := hex.DecodeString(strings.Join(groups, ""))
	wellFormed := slices.EqualFunc(groups, []int{8, 4, 4, 4, 12}, func(group string, length int) bool { return len(group) == length })
	if err != nil || !wellFormed {
		return "", errors.New("it is no UUID")
	}
	var out bytes.Buffer
	for i, b := range data {
		if i > 0 {
			out.WriteString(", ")
		}
		fmt.Fprintf(&out, "0x%02x", b)
	}
	return "h.UUID([16]byte{" + out.String() + "})", nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
