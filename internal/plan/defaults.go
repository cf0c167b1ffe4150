package plan

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/tree"
)

// defaultText returns a schema's default as JSON text in its canonical form. A null is
// not a default. It fails if the default is not a value of the kind, or cannot be used
// for an absent value.
func defaultText(kind model.Kind, node *tree.Node) (*string, error) {
	if node == nil || node.Kind == tree.Null {
		return nil, nil
	}
	var text string
	var err error
	switch kind {
	case model.Boolean:
		text, err = node.Text, wanted(node, "a boolean", tree.Bool)
	case model.Integer:
		text, err = integerDefault(node)
	case model.Number:
		text, err = node.Text, wanted(node, "a number", tree.Int, tree.Float)
	case model.List, model.Map, model.Object, model.JSON:
		text, err = wholeDefault(kind, node)
	default:
		text, err = stringDefault(kind, node)
	}
	if err != nil {
		return nil, err
	}
	return &text, nil
}

// wholeDefault is defaultText for values that contain others.
func wholeDefault(kind model.Kind, node *tree.Node) (string, error) {
	err := survivesFloat64(node)
	switch kind {
	case model.List:
		err = cmp.Or(wanted(node, "a list", tree.Sequence), err)
	case model.Map, model.Object:
		err = cmp.Or(wanted(node, "an object", tree.Mapping), err)
	default: // any JSON
	}
	return jsonText(node), err
}

func wanted(node *tree.Node, what string, kinds ...tree.Kind) error {
	for _, kind := range kinds {
		if node.Kind == kind {
			return nil
		}
	}
	if node.Overflows() && slices.Contains(kinds, tree.Float) {
		return fmt.Errorf("the default %s is too large", node.Text)
	}
	return fmt.Errorf("the default is %s, not %s", node.Kind, what)
}

// integerDefault accepts every spelling of an integer, such as 1.0 and 1e3.
func integerDefault(node *tree.Node) (string, error) {
	if err := wanted(node, "an integer", tree.Int, tree.Float); err != nil {
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
	if err := survivesFloat64(node); err != nil {
		return "", err
	}
	return value.Num().String(), nil
}

// survivesFloat64 fails for a default with a number that the validating middleware
// changes: it reads numbers as float64 and writes the shortest text that identifies
// them.
func survivesFloat64(node *tree.Node) error {
	for _, item := range node.Items {
		if err := survivesFloat64(item); err != nil {
			return err
		}
	}
	for _, member := range node.Members {
		if err := survivesFloat64(member.Value); err != nil {
			return err
		}
	}
	if node.Kind != tree.Int && node.Kind != tree.Float {
		return nil
	}
	double, err := strconv.ParseFloat(node.Text, 64)
	mantissa, _, _ := strings.Cut(strings.ToLower(node.Text), "e")
	if double == 0 && !strings.ContainsAny(mantissa, "123456789") {
		return nil
	}
	if err == nil && double != 0 { // so the exponent is small
		value, _ := new(big.Rat).SetString(node.Text)
		written, _ := new(big.Rat).SetString(strconv.FormatFloat(double, 'g', -1, 64))
		if value.Cmp(written) == 0 {
			return nil
		}
	}
	return fmt.Errorf("the validating middleware rounds the default %s to a float64", node.Text)
}

// jsonText writes a value as JSON, with the members of objects by name.
func jsonText(node *tree.Node) string {
	var parts []string
	switch node.Kind {
	case tree.String:
		return quoteJSON(node.Text)
	case tree.Sequence:
		for _, item := range node.Items {
			parts = append(parts, jsonText(item))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case tree.Mapping:
		members := slices.Clone(node.Members)
		slices.SortFunc(members, func(a, b *tree.Member) int { return strings.Compare(a.Name, b.Name) })
		for _, member := range members {
			parts = append(parts, quoteJSON(member.Name)+":"+jsonText(member.Value))
		}
		return "{" + strings.Join(parts, ",") + "}"
	default:
		return node.Text
	}
}

var uuidText = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

func stringDefault(kind model.Kind, node *tree.Node) (string, error) {
	if err := wanted(node, "a string", tree.String); err != nil {
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
		return "", fmt.Errorf("the default %q is not a %s", node.Text, model.TypeText(kind, ""))
	}
	return quoteJSON(node.Text), nil
}

// quoteJSON returns text as a JSON string with only the necessary escapes.
func quoteJSON(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // encoding a string cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}
