-- Ends the statement with the text of an error of the HTTP interface, which has one unit in the singular.
CREATE OR REPLACE FUNCTION {schema}.refuse(message text, state text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING MESSAGE = regexp_replace(message, 'at most 1 (job|byte)s', 'at most 1 \1'), ERRCODE = state;
END
$$;
