-- The sequence counts executions, also those that are rolled back.
CREATE SEQUENCE executions;

CREATE TABLE transfers (
    transfer_id bigint PRIMARY KEY,
    amount      bigint NOT NULL
);
