-- "ééééééééééééééééééééééééééééééé": region holds up to 64 characters, not 8

-- "ééééééééééééééééééééééééééééééé": region holds up to 64 characters, not 8.

-- This reads the whole table and locks out everybody meanwhile. It fails if a value is longer.
ALTER TABLE "ééééééééééééééééééééééééééééééé"
    DROP CONSTRAINT "ééééééééééééééééééééééééé_region_check",
    ADD CONSTRAINT "ééééééééééééééééééééééééé_region_check" CHECK (char_length(region) <= 64);
