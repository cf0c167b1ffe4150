-- keys: keys in previous tables are looked up by other columns

-- keys: keys in previous tables are looked up by other columns.

DROP INDEX keys_1_lookup_idx;
