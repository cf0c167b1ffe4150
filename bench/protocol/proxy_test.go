package main

import (
	"io"
	"net"
	"testing"
)

func TestProxyCountsRoundTrips(t *testing.T) {
	echo, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = echo.Close() }()
	go func() {
		conn, err := echo.Accept()
		if err == nil {
			_, _ = io.Copy(conn, conn)
			_ = conn.Close()
		}
	}()
	p, err := startProxy(t.Context(), echo.Addr().String(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", p.address())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	buffer := make([]byte, 5)
	for range 3 {
		if _, err := conn.Write([]byte("hello")); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(conn, buffer); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.trips.Load(); got != 3 {
		t.Errorf("counted %d round trips, want 3", got)
	}
}
