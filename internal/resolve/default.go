package resolve

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/model"
)

// hashDefault is what is hashed for a value that is missing in an object that is
// there: its default, which the validating middleware fills in and oapi-codegen
// does not, so that both hash alike. An error says why that is not possible.
func hashDefault(node *model.Node) ([]model.HashCall, error) {
	if node.Default == nil || isElement(node) { // an element is never missing
		return []model.HashCall{hashAbsent(node)}, nil
	}
	value, err := decodeDefault(*node.Default)
	if err != nil {
		return nil, err
	}
	if value == nil {
		return []model.HashCall{hash("Absent")}, nil
	}
	return hashKnown(node, value)
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

// hashKnown is what is hashed for a value that is known beforehand.
func hashKnown(node *model.Node, value any) ([]model.HashCall, error) {
	switch node.Kind {
	case model.Object:
		return hashMembers(node, value)
	case model.List:
		return hashItems(node, value)
	case model.Map:
		return hashEntries(node, value)
	case model.JSON:
		text, err := json.Marshal(value)
		return []model.HashCall{hash("JSON", text)}, err
	}
	call, err := hashScalar(node, value)
	return []model.HashCall{call}, err
}

// hashMembers hashes the members of an object. Those that it leaves out have
// their own defaults.
func hashMembers(node *model.Node, value any) ([]model.HashCall, error) {
	members, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("it is no object")
	}
	var calls []model.HashCall
	for _, member := range node.Members {
		inner, err := hashMember(member, members[member.Name])
		if err != nil {
			return nil, err
		}
		calls = append(calls, inner...)
	}
	return calls, nil
}

func hashMember(member *model.Node, value any) (calls []model.HashCall, err error) {
	if value == nil && member.Default != nil {
		if value, err = decodeDefault(*member.Default); err != nil {
			return nil, err
		}
	}
	if member.Kind == model.Object {
		switch {
		case value == nil && member.Zero:
			value = map[string]any{}
		case value == nil:
			return []model.HashCall{hashAbsent(member)}, nil
		}
		return hashKnown(member, value)
	}
	inner := []model.HashCall{hash("Absent")}
	if value != nil {
		inner, err = hashKnown(member, value)
	} else if member.Zero && !isNilableKind(member.Kind) {
		err = fmt.Errorf("%q is missing in it", member.Name)
	}
	return append([]model.HashCall{hash("Field", member.Path)}, inner...), err
}

func hashItems(node *model.Node, value any) ([]model.HashCall, error) {
	items, ok := value.([]any)
	if !ok {
		return nil, errors.New("it is no array")
	}
	start, before, end := "List", []model.HashCall(nil), []model.HashCall(nil)
	if node.Unordered {
		start, before, end = "Multiset", []model.HashCall{hash("Element")}, []model.HashCall{hash("EndMultiset")}
	}
	calls := []model.HashCall{hash(start, len(items))}
	for _, item := range items {
		inner, err := hashElement(node.Elem, item)
		if err != nil {
			return nil, err
		}
		calls = append(append(calls, before...), inner...)
	}
	return append(calls, end...), nil
}

func hashEntries(node *model.Node, value any) ([]model.HashCall, error) {
	entries, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("it is no object")
	}
	calls := []model.HashCall{hash("Map", len(entries))}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		inner, err := hashElement(node.Elem, entries[key])
		if err != nil {
			return nil, err
		}
		calls = append(append(calls, hash("Key", key)), inner...)
	}
	return calls, nil
}

// hashElement hashes an entry of a default list or map.
func hashElement(node *model.Node, value any) ([]model.HashCall, error) {
	switch {
	case value == nil && node.Nullable:
		return hashNull(node), nil
	case value == nil && node.Zero && !isNilableKind(node.Kind):
		return nil, errors.New("it holds null")
	case value == nil:
		return []model.HashCall{hash("Absent")}, nil
	}
	return hashKnown(node, value)
}

func hashScalar(node *model.Node, value any) (model.HashCall, error) {
	switch value := value.(type) {
	case bool:
		if node.Kind == model.Boolean {
			return hash("Bool", value), nil
		}
	case json.Number:
		switch node.Kind {
		case model.Integer:
			return hashInteger(value.String())
		case model.Number:
			return hashNumber(value.String(), node.Format)
		}
	case string:
		return hashString(node, value)
	}
	return model.HashCall{}, fmt.Errorf("it is not %s", describe(node))
}

func hashInteger(text string) (model.HashCall, error) {
	number, ok := exactNumber(text)
	if !ok || !number.IsInt() || !number.Num().IsInt64() {
		return model.HashCall{}, errors.New("it is no integer of 64 bits")
	}
	return hash("Int", number.Num().Int64()), nil
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

func hashNumber(text, format string) (model.HashCall, error) {
	size := 64
	if format == "float" {
		size = 32
	}
	number, err := strconv.ParseFloat(text, size)
	if err != nil || math.IsInf(number, 0) {
		return model.HashCall{}, errors.New("it is out of range")
	}
	if number == 0 {
		number = 0 // -0 is 0
	}
	return hash("Float", number), nil
}

func hashString(node *model.Node, text string) (model.HashCall, error) {
	switch node.Kind {
	case model.String:
		return hashText(node, text), nil
	case model.Bytes:
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return model.HashCall{}, errors.New("it is not base64")
		}
		return hash("Bytes", data), nil
	case model.UUID:
		return hashUUID(text)
	case model.Date:
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			return model.HashCall{}, errors.New("it is no date")
		}
		return hash("Date", day), nil
	case model.Instant:
		instant, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return model.HashCall{}, errors.New("it is no date-time with an offset")
		}
		return hash("Time", instant.UTC()), nil
	}
	return model.HashCall{}, fmt.Errorf("it is not %s", describe(node))
}

func hashUUID(text string) (model.HashCall, error) {
	groups := strings.Split(text, "-")
	data, err := hex.DecodeString(strings.Join(groups, ""))
	wellFormed := slices.EqualFunc(groups, []int{8, 4, 4, 4, 12}, func(group string, length int) bool { return len(group) == length })
	if err != nil || !wellFormed {
		return model.HashCall{}, errors.New("it is no UUID")
	}
	return hash("UUID", [16]byte(data)), nil
}
