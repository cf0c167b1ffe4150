// Package idemfiber joins code that idemgen generates for fiber v2 with the
// runtime, which knows nothing but net/http.
//
// fiber's strings are views of memory that fasthttp uses again once a request is
// over. What the runtime keeps of a request is copied: see [CloneKey] and [Clone].
// fasthttp does not tell that a client has gone, so the context of a business
// function does not end then.
package idemfiber
