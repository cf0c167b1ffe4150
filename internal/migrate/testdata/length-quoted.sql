-- billing."My keys": region holds up to 4 characters, not 8

-- billing."My keys": region holds up to 4 characters, not 8.

-- This reads the whole table and locks out everybody meanwhile. It fails if a value is longer.
ALTER TABLE billing."My keys"
    DROP CONSTRAINT "My keys_region_check",
    ADD CONSTRAINT "My keys_region_check" CHECK (char_length(region) <= 4);
