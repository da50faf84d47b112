-- The replicas whose memory is full, each with its latest word: one that ended without a further word counts no longer.
CREATE TABLE {schema}.full_memory (
  replica text PRIMARY KEY,
  -- In bytes.
  used bigint NOT NULL,
  most bigint NOT NULL,
  seen timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

-- Jobs that add_jobs took would fill the memory of that replica further.
CREATE FUNCTION {schema}.refuse_when_full() RETURNS trigger
LANGUAGE plpgsql SET search_path = {schema}, pg_temp AS $$
DECLARE
  message text := (
    SELECT format(
      'The memory is full: %s of %s MB; remove jobs or give the process more',
      round(used / 1048576.0), round(most / 1048576.0)
    )
    FROM full_memory WHERE seen > clock_timestamp() - interval '15 seconds' ORDER BY used DESC LIMIT 1
  );
BEGIN
  IF message IS NOT NULL THEN PERFORM refuse(message, '53200'); END IF;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION {schema}.refuse_when_full() FROM PUBLIC;
CREATE TRIGGER memory BEFORE INSERT ON {schema}.inbox EXECUTE FUNCTION {schema}.refuse_when_full();
