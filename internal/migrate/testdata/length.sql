-- keys: region holds up to 64 characters, not 8

-- keys: region holds up to 64 characters, not 8.

-- This reads the whole table and locks out everybody meanwhile. It fails if a value is longer.
ALTER TABLE keys
    DROP CONSTRAINT keys_region_check,
    ADD CONSTRAINT keys_region_check CHECK (char_length(region) <= 64);
