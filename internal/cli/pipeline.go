package cli

import (
	"context"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gen"
	"github.com/idemgen/idemgen/internal/output"
)

// pipeline is the generator.
func pipeline(ctx context.Context, c *config.Config) (files, stale []output.File, warnings diag.List, err error) {
	result, err := gen.Run(ctx, c)
	return result.Files, result.Stale, result.Warnings, err
}
