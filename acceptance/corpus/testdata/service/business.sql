CREATE TABLE executions (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    operation text NOT NULL,
    tenant    uuid NOT NULL
);
