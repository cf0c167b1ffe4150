-- keys_1 is not used any more, and is not dropped

-- keys_1 is not used any more. It is not dropped here: what it stands for could execute again without its keys.
-- When no instance uses it and none of its keys can be sent again, drop it:
--     DROP TABLE keys_1;
