package oapi

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/internal/diag"
)

// settingsDecoder reads YAML into oapi-codegen's configuration, whose own tags say
// what options there are.
type settingsDecoder struct {
	file     SettingsFile
	settings *Settings
	list     diag.List
}

func (d *settingsDecoder) decode(node *yaml.Node) {
	// The command's configuration file has one option more than the library's.
	var file struct {
		Output string `yaml:"output"`
	}
	configuration := reflect.ValueOf(&d.settings.configuration).Elem()
	fields := fieldsByOption(configuration)
	fields["output"] = reflect.ValueOf(&file).Elem().Field(0)
	d.options(fields, node, "")
}

// fieldsByOption returns the fields of a struct by the names that YAML has for them.
func fieldsByOption(structure reflect.Value) map[string]reflect.Value {
	fields := map[string]reflect.Value{}
	for i := range structure.NumField() {
		name, _, _ := strings.Cut(structure.Type().Field(i).Tag.Get("yaml"), ",")
		if name != "" && name != "-" {
			fields[name] = structure.Field(i)
		}
	}
	return fields
}

// options reads a mapping whose keys are options.
func (d *settingsDecoder) options(fields map[string]reflect.Value, node *yaml.Node, within string) {
	d.entries(node, within, func(key, value *yaml.Node, option string) {
		field, known := fields[key.Value]
		if !known {
			d.list.Errorf(d.position(key), diag.DidYouMean(key.Value, slices.Sorted(maps.Keys(fields))), "oapi-codegen has no option %q%s", key.Value, inOption(within))
			return
		}
		d.value(field, value, option)
	})
}

func inOption(within string) string {
	if within == "" {
		return ""
	}
	return " in " + within
}

// entries calls read for each entry of a mapping, and reports repeated keys.
func (d *settingsDecoder) entries(node *yaml.Node, within string, read func(key, value *yaml.Node, option string)) {
	if node.Kind != yaml.MappingNode {
		d.mismatch(node, within, "a mapping")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		option := key.Value
		if within != "" {
			option = within + "." + key.Value
		}
		switch {
		case key.Kind != yaml.ScalarNode:
			d.list.Errorf(d.position(key), "write a name", "a key of the options must be text")
		case seen[key.Value]:
			d.list.Errorf(d.position(key), "keep one", "%s is given twice", option)
		default:
			seen[key.Value] = true
			if value.Kind == yaml.AliasNode {
				value = value.Alias
			}
			d.settings.positions[option] = d.position(value)
			read(key, value, option)
		}
	}
}

// value reads node into the field of one option.
func (d *settingsDecoder) value(field reflect.Value, node *yaml.Node, option string) {
	switch field.Kind() {
	case reflect.Pointer:
		field.Set(reflect.New(field.Type().Elem()))
		d.value(field.Elem(), node, option)
	case reflect.Struct:
		d.options(fieldsByOption(field), node, option)
	case reflect.Slice:
		d.sequence(field, node, option)
	case reflect.Map:
		d.mapping(field, node, option)
	default:
		d.scalar(field, node, option)
	}
}

func (d *settingsDecoder) sequence(field reflect.Value, node *yaml.Node, option string) {
	if node.Kind != yaml.SequenceNode {
		d.mismatch(node, option, "a list")
		return
	}
	list := reflect.MakeSlice(field.Type(), len(node.Content), len(node.Content))
	for i, item := range node.Content {
		if item.Kind == yaml.AliasNode {
			item = item.Alias
		}
		d.value(list.Index(i), item, option+"["+strconv.Itoa(i)+"]")
	}
	field.Set(list)
}

func (d *settingsDecoder) mapping(field reflect.Value, node *yaml.Node, option string) {
	entries := reflect.MakeMap(field.Type())
	d.entries(node, option, func(key, value *yaml.Node, option string) {
		entry := reflect.New(field.Type().Elem()).Elem()
		d.value(entry, value, option)
		entries.SetMapIndex(reflect.ValueOf(key.Value), entry)
	})
	field.Set(entries)
}

func (d *settingsDecoder) scalar(field reflect.Value, node *yaml.Node, option string) {
	wanted, tag := "text", "!!str"
	switch field.Kind() {
	case reflect.Bool:
		wanted, tag = "true or false", "!!bool"
	case reflect.Int:
		wanted, tag = "a whole number", "!!int"
	}
	if node.Kind != yaml.ScalarNode || node.ShortTag() != tag || node.Decode(field.Addr().Interface()) != nil {
		d.mismatch(node, option, wanted)
	}
}

func (d *settingsDecoder) mismatch(node *yaml.Node, option, wanted string) {
	given := strconv.Quote(node.Value)
	switch {
	case node.Kind == yaml.MappingNode:
		given = "a mapping"
	case node.Kind == yaml.SequenceNode:
		given = "a list"
	case node.ShortTag() == "!!null":
		given = "nothing"
	}
	d.list.Errorf(d.position(node), "write "+wanted, "server.options.%s must be %s, not %s", option, wanted, given)
}

func (d *settingsDecoder) position(node *yaml.Node) diag.Position {
	return diag.Position{File: d.file.Display, Line: max(node.Line, 1), Column: max(node.Column, 1)}
}
