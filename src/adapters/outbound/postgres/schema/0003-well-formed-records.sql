-- Rounds and records of earlier versions may have an escaped NUL or half of a surrogate pair, which the functions of
-- PostgreSQL that look into JSON refuse: earlier versions cannot fold such rounds. U+FFFD takes their places. Behind an
-- even number of backslashes, such an escape is a part of a text, and stays.

-- Nobody folds meanwhile: two that update the same rows in another order would wait for each other.
SELECT round FROM {schema}.folded FOR UPDATE;

UPDATE {schema}.log
SET changes = regexp_replace(changes::text, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f]..)', '\1\\ufffd', 'g')::json
WHERE changes::text ~ '\\u(?:0000|d[89a-f])';

UPDATE {schema}.records
SET value = regexp_replace(value::text, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f]..)', '\1\\ufffd', 'g')::json
WHERE value::text ~ '\\u(?:0000|d[89a-f])';
