package lock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// change is one after which recorded keys are not looked at any more, or may be taken
// for others. It is an error until the document accepts it.
type change struct {
	text            string // as accept: lists it
	pos             diag.Position
	message, remedy string   // remedy is what to do without accepting
	ends            []string // accepted texts, or prefixes of them, that are history with this change
}

// comparison compares one contract with the lock.
type comparison struct {
	History
	contract *model.Contract
	list     *diag.List
	accepted []string // by now
	open     []string // what could be accepted and is not
}

// changes reports changes that the document has not accepted. It returns those that it
// has accepted by now.
func (h History) changes(contract *model.Contract, list *diag.List) []string {
	c := &comparison{History: h, contract: contract, list: list, accepted: slices.Clone(h.Lock.Accepted)}
	c.operationsGone()
	c.operationsAgain()
	c.operationsMoved()
	c.tablesGone()
	c.tablesAgain()
	for _, scope := range contract.Scopes {
		if before := c.table(tableName(scope)); before != nil {
			c.responses(scope, *before)
			c.columns(scope, *before)
		}
		c.previous(scope)
	}
	c.nothingToAccept()
	return c.accepted
}

// meet accepts a change, or reports it.
func (c *comparison) meet(ch change) {
	if !slices.ContainsFunc(c.contract.Accept, func(a model.Accept) bool { return a.Text == ch.text }) {
		c.open = append(c.open, ch.text)
		c.list.Errorf(ch.pos, fmt.Sprintf("%s, or add %q to accept: %s", ch.remedy, ch.text, c.where(ch.pos)), "%s", ch.message)
		return
	}
	c.accepted = slices.DeleteFunc(c.accepted, func(text string) bool {
		return slices.ContainsFunc(ch.ends, func(end string) bool { return strings.HasPrefix(text, end) })
	})
	if !slices.Contains(c.accepted, ch.text) {
		c.accepted = append(c.accepted, ch.text)
	}
}

// where says in which annotation accept: is.
func (c *comparison) where(pos diag.Position) string {
	if pos == c.contract.Root {
		return "here"
	}
	return fmt.Sprintf("in the x-idempotent at the document's root (%s)", c.contract.Root)
}

// nothingToAccept reports entries of the document that are about no change.
func (c *comparison) nothingToAccept() {
	for _, entry := range c.contract.Accept {
		if !slices.Contains(c.accepted, entry.Text) {
			remedy := "remove it"
			if near, ok := diag.Nearest(entry.Text, c.open); ok {
				remedy = fmt.Sprintf("did you mean %q?", near)
			}
			c.list.Errorf(entry.Pos, remedy, "accept lists %q, and by %s there is no such change", entry.Text, c.File)
		}
	}
}

// operationsGone reports stored names that no operation has any more.
func (c *comparison) operationsGone() {
	for _, locked := range c.Lock.Operations {
		if slices.ContainsFunc(c.contract.Operations, func(o *model.Operation) bool { return o.Name == locked.Name }) {
			continue
		}
		c.meet(change{
			text:    removed(operation(locked.Name)),
			pos:     c.contract.Root,
			message: fmt.Sprintf("%s has an operation with the stored name %q, and the document does not: if it goes on under another name, retries of recorded requests would execute again", c.File, locked.Name),
			remedy:  fmt.Sprintf("if it was renamed, write name: %s in its x-idempotent", yamlText(locked.Name)),
			ends:    []string{operation(locked.Name) + " moved from ", again(operation(locked.Name))},
		})
	}
}

// operationsAgain reports stored names that were accepted as removed.
func (c *comparison) operationsAgain() {
	for _, o := range c.contract.Operations {
		gone := removed(operation(o.Name))
		if !slices.Contains(c.accepted, gone) || lockedOperation(c.Lock, o.Name).Name != "" {
			continue
		}
		c.meet(change{
			text:    again(operation(o.Name)),
			pos:     o.Pos,
			message: fmt.Sprintf("the stored name %q was accepted as removed, and keys are still recorded under it: requests could be answered with responses of the operation that had it", o.Name),
			remedy:  "give the operation another name with name:",
			ends:    []string{gone},
		})
	}
}

// operationsMoved reports operations whose keys are in another scope's table. Where
// their old table is gone, that is what is reported.
func (c *comparison) operationsMoved() {
	for _, o := range c.contract.Operations {
		from, to := c.tableOf(lockedOperation(c.Lock, o.Name)), tableName(o.Scope)
		if from == "" || from == to || !c.stillUsed(from) {
			continue
		}
		c.meet(change{
			text:    fmt.Sprintf("%s moved from %s to %s", operation(o.Name), from, to),
			pos:     o.ScopePos,
			message: fmt.Sprintf("the keys of %q are in table %s, and scope %q has table %s: retries of recorded requests would execute again", o.Name, from, o.Scope.Name, to),
			remedy:  "keep the scope",
			ends:    []string{operation(o.Name) + " moved from "},
		})
	}
}

// tableOf returns the table that has an operation's keys by the lock, or "". A file
// of version 1 has only the scope's name, whose table is taken to be today's.
func (c *comparison) tableOf(locked model.LockOperation) string {
	for _, table := range c.Lock.Tables {
		if table.Scope == locked.Scope {
			return table.Table
		}
	}
	for _, scope := range c.contract.Scopes {
		if scope.Name == locked.Scope {
			return tableName(scope)
		}
	}
	return ""
}

// stillUsed reports whether a scope of the contract has the table.
func (c *comparison) stillUsed(table string) bool {
	return slices.ContainsFunc(c.contract.Scopes, func(s *model.Scope) bool { return tableName(s) == table })
}

// operation is an operation in the words of accept.
func operation(name string) string { return "operation " + name }

func removed(what string) string { return what + " removed" }

func again(what string) string { return what + " used again" }

// yamlText is a string as it can be written into a YAML document.
func yamlText(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
