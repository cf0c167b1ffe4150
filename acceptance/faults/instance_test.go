package faults

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"sync"

	"github.com/idemgen/idemgen/acceptance/faults/pgproxy"
)

// instances is how many processes of the service share the database.
const instances = 2

// applicationName is how the service's backends are told from ours.
const applicationName = "faults-service"

// instance is one process of the service after another, behind one proxy.
type instance struct {
	program, protocol string
	databaseURL       *url.URL // through the proxy
	proxy             *pgproxy.Proxy

	mu      sync.Mutex
	process *process // nil while none could be started
}

// startInstance starts the first process, with a pool of a given size.
func (d *driver) startInstance(ctx context.Context, number, pool int) (*instance, error) {
	i := &instance{program: d.program, protocol: d.protocol}
	address, err := url.Parse(d.databaseURL)
	if err != nil {
		return nil, err
	}
	i.proxy, err = pgproxy.Start(ctx, address.Host, func(p pgproxy.Point, c *pgproxy.Conn) func() pgproxy.Verdict {
		return d.pass(number, p, c)
	})
	if err != nil {
		return nil, err
	}
	address.Host = i.proxy.Address()
	i.databaseURL = address
	if err := i.start(pool); err != nil {
		return nil, errors.Join(err, i.proxy.Close())
	}
	return i, nil
}

// start starts a process. The caller has mu, or the only reference.
func (i *instance) start(pool int) (err error) {
	address := *i.databaseURL
	query := address.Query()
	query.Set("application_name", applicationName)
	query.Set("connect_timeout", "2")
	query.Set("pool_max_conns", strconv.Itoa(pool))
	address.RawQuery = query.Encode()
	i.process, err = startProcess(i.program, address.String(), i.protocol)
	return err
}

// base is the address of the process that runs. It waits for one that is being
// started.
func (i *instance) base() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.process == nil {
		return ""
	}
	return i.process.base
}

// log is the end of the log of the process that runs.
func (i *instance) log() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.process == nil {
		return ""
	}
	return i.process.log.String()
}

// replace kills the process and starts another one.
func (i *instance) replace(pool int) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.process == nil {
		return nil
	}
	err := i.process.kill()
	i.process = nil
	return errors.Join(err, i.start(pool))
}

// stop ends process and proxy.
func (i *instance) stop() (err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.process != nil {
		err = i.process.stop()
	}
	return errors.Join(err, i.proxy.Close())
}
