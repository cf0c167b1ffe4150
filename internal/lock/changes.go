package lock

import (
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

func (h History) changes(contract *model.Contract, list *diag.List) []string { return h.Lock.Accepted }
