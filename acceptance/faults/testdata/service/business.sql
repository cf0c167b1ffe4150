-- One row for each execution that was committed. Nothing here is unique but the
-- execution: a key that is executed twice has two rows.
CREATE TABLE payments (
    execution bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL,
    reference text NOT NULL,
    amount bigint NOT NULL,
    call text NOT NULL
);

CREATE INDEX payments_reference_idx ON payments (account_id, reference);
