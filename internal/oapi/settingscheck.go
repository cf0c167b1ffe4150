package oapi

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/internal/diag"
)

// ParseSettings reads oapi-codegen's configuration from a YAML mapping; nil is an
// empty one. Unknown options, values of another type and options that cannot work
// here are errors, each with its position.
func ParseSettings(node *yaml.Node, file SettingsFile) (*Settings, diag.List) {
	s := &Settings{positions: map[string]diag.Position{}}
	if node == nil {
		return s, nil
	}
	d := settingsDecoder{file: file, settings: s}
	d.decode(node)
	if len(d.list) == 0 {
		d.refuse()
		d.validate(node)
		d.readTemplates()
	}
	d.list.Sort()
	return s, d.list
}

// refuse reports options that cannot work together with idemgen.
func (d *settingsDecoder) refuse() {
	for _, option := range slices.Sorted(maps.Keys(d.settings.positions)) {
		if why, ok := refusals[option]; ok {
			d.list.Errorf(d.settings.positions[option], why.remedy, "server.options.%s cannot be used: %s", option, why.reason)
		}
	}
	generate := &d.settings.configuration.Generate
	if d.settings.configuration.OutputOptions.SkipFmt {
		d.list.Errorf(d.settings.positions["output-options.skip-fmt"], "remove it",
			"server.options.output-options.skip-fmt cannot be used: what oapi-codegen does not format has imports too many, and does not compile")
	}
	d.decided("generate.models", generate.Models, true)
	d.decided("generate.strict-server", generate.Strict, true)
	for option, given := range servers(generate) {
		d.decided("generate."+option, *given, frameworks[d.file.Framework].option == option)
		*given = false
	}
}

// refusals are options that are refused whatever their value.
var refusals = map[string]struct{ reason, remedy string }{
	"package":                {"the package's name is server.package", "remove it"},
	"output":                 {"the file is " + "api.gen.go in server.out", "remove it"},
	"output-options.overlay": {"oapi-codegen would be given another document than idemgen reads", "name the file as overlay: beside server:"},
	"allow-remote-refs-from": {"idemgen reads the document itself, and follows references to local files only", "remove it"},
}

// decided reports an option whose value contradicts what idemgen sets itself.
func (d *settingsDecoder) decided(option string, given, set bool) {
	pos, ok := d.settings.positions[option]
	if !ok || given == set {
		return
	}
	remedy := "remove it"
	if strings.HasSuffix(option, "-server") && option != "generate.strict-server" {
		remedy = "set server.framework instead"
	}
	d.list.Errorf(pos, remedy, "server.options.%s cannot be %t: idemgen decides it", option, given)
}

// validate has oapi-codegen look at values.
func (d *settingsDecoder) validate(node *yaml.Node) {
	output := d.settings.configuration.OutputOptions
	if name := codegen.NameNormalizerFunction(output.NameNormalizer); codegen.NameNormalizers[name] == nil {
		d.list.Errorf(d.settings.positions["output-options.name-normalizer"], diag.DidYouMean(output.NameNormalizer, normalizers()),
			"unknown name-normalizer %q", output.NameNormalizer)
		return
	}
	configuration := d.settings.configuration
	configuration.PackageName = "api" // anything: it is not among the options
	if err := configuration.Validate(); err != nil && len(d.list) == 0 {
		pos := d.position(node)
		for _, option := range slices.Sorted(maps.Keys(d.settings.positions)) {
			if name := option[strings.LastIndex(option, ".")+1:]; strings.Contains(err.Error(), "for "+name+" ") || name == "import-mapping" && strings.Contains(err.Error(), "`import-mapping`") {
				pos = d.settings.positions[option]
			}
		}
		d.list.Errorf(pos, "correct it", "oapi-codegen %s refuses the options: %s", Version, strings.ReplaceAll(strings.TrimPrefix(err.Error(), "failed to validate configuration: "), "\n", "; "))
	}
}

func normalizers() []string {
	var names []string
	for name := range codegen.NameNormalizers {
		if name != codegen.NameNormalizerFunctionUnset {
			names = append(names, string(name))
		}
	}
	slices.Sort(names)
	return names
}

// readTemplates replaces the names of template files by what is in them.
// oapi-codegen would look for them where it was started, and then on the network.
func (d *settingsDecoder) readTemplates() {
	templates := d.settings.configuration.OutputOptions.UserTemplates
	for _, name := range slices.Sorted(maps.Keys(templates)) {
		file := templates[name]
		pos := d.settings.positions["output-options.user-templates."+name]
		switch {
		case strings.Contains(file, "\n"):
			continue // the template itself
		case strings.Contains(file, "://"):
			d.list.Errorf(pos, "save it next to "+d.file.Display+" and name the file", "template %s is to be fetched from the network, on which the result would depend", name)
			continue
		}
		path := filepath.FromSlash(file)
		if !filepath.IsAbs(path) {
			path = filepath.Join(d.file.Folder, path)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			d.list.Errorf(pos, "fix the path, which is relative to "+d.file.Display, "template %s cannot be read: %s", file, diag.Cause(err))
			continue
		}
		templates[name] = string(text) + "\n" // the line's end says that it is a template
	}
}
