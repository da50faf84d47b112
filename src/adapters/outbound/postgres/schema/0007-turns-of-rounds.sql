-- The rounds of all replicas follow each other by the lock of this row. It takes the right to update the row, so that no
-- role without grants can hold rounds up, as it can by an advisory lock.
CREATE TABLE {schema}.turn (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only));
INSERT INTO {schema}.turn DEFAULT VALUES;

-- Replicas of the version before follow each other by an advisory lock. Takes it, too, and waits for that as long as the
-- session of such a replica has it, but for nobody else: a round that begins all the same is refused by the key of the log.
CREATE FUNCTION {schema}.take_former_lock(key integer) RETURNS void
LANGUAGE plpgsql SET search_path = {schema}, pg_temp SET lock_timeout = '100ms' AS $$
BEGIN
  WHILE NOT EXISTS (
    SELECT FROM pg_locks AS l LEFT JOIN pg_stat_activity AS a USING (pid)
    WHERE l.locktype = 'advisory' AND l.granted
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (l.classid, l.objid, l.objsubid) = (key::oid, 1::oid, 2::smallint)
      AND (a.application_name LIKE 'jobgate %' AND has_table_privilege(a.usesysid, 'log'::regclass, 'INSERT')) IS NOT TRUE
  ) LOOP
    BEGIN
      PERFORM pg_advisory_xact_lock(key, 1);
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      PERFORM pg_stat_clear_snapshot();
    END;
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION {schema}.take_former_lock FROM PUBLIC;
