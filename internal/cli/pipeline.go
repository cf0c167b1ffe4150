package cli

import (
	"context"
	"time"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gen"
	"github.com/idemgen/idemgen/internal/output"
)

// pipeline is the generator.
func pipeline(ctx context.Context, c *config.Config) (files, stale []output.File, migration *gen.Migration, warnings diag.List, err error) {
	result, err := gen.Run(ctx, c, gen.Options{Today: time.Now()})
	return result.Files, result.Stale, result.Migration, result.Warnings, err
}
