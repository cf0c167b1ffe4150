module github.com/idemgen/idemgen

go 1.26.0

require (
	github.com/getkin/kin-openapi v0.153.0
	github.com/google/go-cmp v0.7.0
	github.com/oapi-codegen/oapi-codegen/v2 v2.8.2
	github.com/rogpeppe/go-internal v1.16.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/speakeasy-api/jsonpath v0.6.3
	github.com/spf13/cobra v1.10.2
	github.com/sqlc-dev/sqlc v1.31.1
	go.yaml.in/yaml/v4 v4.0.0
	golang.org/x/mod v0.38.0
	golang.org/x/tools v0.48.0
	gopkg.in/yaml.v3 v3.0.1
)

require (
	github.com/go-openapi/jsonpointer v0.23.1 // indirect
	github.com/go-openapi/swag/jsonname v0.26.0 // indirect
	golang.org/x/text v0.40.0 // indirect
)
