package naming

import "strconv"

// Taken holds the names that are in use in one place, and their owners. It is not safe
// for concurrent use.
type Taken struct {
	owner map[string]string
}

// NewTaken returns a registry in which owner has names.
func NewTaken(owner string, names ...string) *Taken {
	t := &Taken{owner: make(map[string]string)}
	for _, name := range names {
		t.owner[name] = owner
	}
	return t
}

// Take gives name to owner. If it is already in use, nothing changes and Take returns
// its owner.
func (t *Taken) Take(name, owner string) (holder string, ok bool) {
	if holder, used := t.owner[name]; used {
		return holder, false
	}
	t.owner[name] = owner
	return owner, true
}

// Free gives owner the first unused one of name, name2, name3 and so on, and returns
// it.
func (t *Taken) Free(name, owner string) string {
	free := name
	for i := 2; ; i++ {
		if _, ok := t.Take(free, owner); ok {
			return free
		}
		free = name + strconv.Itoa(i)
	}
}

// Has reports whether name is in use.
func (t *Taken) Has(name string) bool {
	_, used := t.owner[name]
	return used
}
