// Package idemiris joins code that idemgen generates for iris with the runtime,
// which knows nothing but net/http.
//
// iris uses a context again once its request is over. What may last longer than a
// request is given another one: see [Detach].
package idemiris
