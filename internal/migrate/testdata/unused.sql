-- keys is not used any more, and is not dropped
-- responses is not used any more, and is not dropped

-- keys is not used any more. It is not dropped here: what it stands for could execute again without its keys.
-- When no instance uses it and none of its keys can be sent again, drop it:
--     DROP TABLE keys;

-- responses is not used any more. It is not dropped here: instances of an older release may still be using it.
-- When no instance uses it and none of its keys can be sent again, drop it:
--     DROP FUNCTION rotate_responses(bigint);
--     DROP TABLE responses;
