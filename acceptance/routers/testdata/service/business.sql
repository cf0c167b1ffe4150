CREATE TABLE orders (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	account text NOT NULL,
	shop text NOT NULL,
	sku text NOT NULL
);

-- What a goroutine that outlives its request has seen of its context.
CREATE TABLE findings (account text NOT NULL, seen text NOT NULL);
