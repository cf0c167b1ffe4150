package pgproxy

import "sync"

// script follows one connection: what the service asked for, and what the
// server has yet to answer.
type script struct {
	mu         sync.Mutex
	statements map[string]Step // by name of the prepared statement
	portals    map[string]Step
	pending    []pending
}

// pending is an answer to come.
type pending struct {
	step  Step
	ready bool // the server is ready for the next request
}

func newScript() *script {
	return &script{
		statements: map[string]Step{},
		portals:    map[string]Step{},
		pending:    []pending{{Connect, true}},
	}
}

// asked takes in a message of the service. The step is empty if it carries none.
func (s *script) asked(m message) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m.kind {
	case 'P': // Parse
		texts := m.texts(2)
		s.statements[texts[0]] = stepOf(texts[1])
		s.pending = append(s.pending, pending{step: Prepare})
		return Prepare
	case 'B': // Bind
		texts := m.texts(2)
		s.portals[texts[0]] = s.statements[texts[1]]
	case 'E': // Execute
		step := s.portals[m.texts(1)[0]]
		s.pending = append(s.pending, pending{step: step})
		return step
	case 'Q': // a simple query
		step := stepOf(m.texts(1)[0])
		s.pending = append(s.pending, pending{step: step}, pending{ready: true})
		return step
	case 'S': // Sync
		s.pending = append(s.pending, pending{ready: true})
	}
	return ""
}

// answered takes in a message of the server. The step is the one whose answer
// is complete, if any is.
func (s *script) answered(m message) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m.kind {
	case '1', 'C', 'I', 's': // ParseComplete, CommandComplete, EmptyQueryResponse, PortalSuspended
		return s.next()
	case 'E': // ErrorResponse: the server skips what follows
		step := s.next()
		for len(s.pending) > 0 && !s.pending[0].ready {
			s.pending = s.pending[1:]
		}
		return step
	case 'Z': // ReadyForQuery
		if len(s.pending) == 0 {
			return ""
		}
		step := s.pending[0].step
		s.pending = s.pending[1:]
		return step // of Connect
	}
	return ""
}

func (s *script) next() Step {
	if len(s.pending) == 0 || s.pending[0].ready {
		return "" // a notice of the server's own, such as its end
	}
	step := s.pending[0].step
	s.pending = s.pending[1:]
	return step
}
