package protocol_test

const serviceEnv = "IDEMGEN_TEST_SERVICE"

func serveOrders(string) {}
