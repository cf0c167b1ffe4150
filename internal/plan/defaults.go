package plan

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// defaultText returns a schema's default as JSON text in its one canonical
// spelling. A null is no default. It fails where the default is not a value of
// the kind, or cannot stand for an absent one.
func defaultText(kind model.Kind, node *spec.Node) (*string, error) {
	if node == nil || node.Kind == spec.Null {
		return nil, nil
	}
	var text string
	var err error
	switch kind {
	case model.Boolean:
		text, err = node.Text, wanted(node, "a boolean", spec.Bool)
	case model.Integer:
		text, err = integerDefault(node)
	case model.Number:
		text, err = node.Text, wanted(node, "a number", spec.Int, spec.Float)
	case model.List:
		text, err = "[]", emptyDefault(node, spec.Sequence, "an empty list")
	case model.Map:
		text, err = "{}", emptyDefault(node, spec.Mapping, "an empty object")
	case model.Object:
		err = errors.New("a default of a whole object is not supported in a fingerprint yet")
	default:
		text, err = stringDefault(kind, node)
	}
	if err != nil {
		return nil, err
	}
	return &text, nil
}

func wanted(node *spec.Node, what string, kinds ...spec.Kind) error {
	for _, kind := range kinds {
		if node.Kind == kind {
			return nil
		}
	}
	return fmt.Errorf("the default is %s, not %s", node.Kind, what)
}

// integerDefault accepts every spelling of an integer, such as 1.0 and 1e3.
func integerDefault(node *spec.Node) (string, error) {
	if err := wanted(node, "an integer", spec.Int, spec.Float); err != nil {
		return "", err
	}
	if f, err := strconv.ParseFloat(node.Text, 64); err != nil || f > 1e40 || f < -1e40 {
		return "", fmt.Errorf("the default %s is too large", node.Text)
	}
	if i := strings.IndexAny(node.Text, "eE"); i >= 0 {
		if exponent, err := strconv.Atoi(node.Text[i+1:]); err != nil || exponent < -100 {
			return "", fmt.Errorf("the default %s is not an integer", node.Text)
		}
	}
	value, ok := new(big.Rat).SetString(node.Text)
	if !ok || !value.IsInt() {
		return "", fmt.Errorf("the default %s is not an integer", node.Text)
	}
	return value.Num().String(), nil
}

func emptyDefault(node *spec.Node, kind spec.Kind, what string) error {
	if node.Kind != kind || len(node.Items)+len(node.Members) > 0 {
		return fmt.Errorf("the default is not %s, and no other is supported in a fingerprint yet", what)
	}
	return nil
}

var uuidText = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

func stringDefault(kind model.Kind, node *spec.Node) (string, error) {
	if err := wanted(node, "a string", spec.String); err != nil {
		return "", err
	}
	ok := true
	switch kind {
	case model.Bytes:
		_, err := base64.StdEncoding.DecodeString(node.Text)
		ok = err == nil
	case model.Date:
		_, err := time.Parse(time.DateOnly, node.Text)
		ok = err == nil
	case model.Instant:
		_, err := time.Parse(time.RFC3339, node.Text)
		ok = err == nil
	case model.UUID:
		ok = uuidText.MatchString(node.Text)
	default:
	}
	if !ok {
		return "", fmt.Errorf("the default %q is not a %s", node.Text, typeText(kind, ""))
	}
	return quoteJSON(node.Text), nil
}

// quoteJSON returns text as a JSON string with no more escapes than it needs.
func quoteJSON(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // strings always encode
	return strings.TrimSuffix(b.String(), "\n")
}
