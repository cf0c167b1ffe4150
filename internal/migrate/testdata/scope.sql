-- keys: it belongs to scope customer, not account

-- keys: it belongs to scope customer, not account.

COMMENT ON TABLE keys IS 'Idempotency keys of scope customer. One row for each key that was ever used.';
