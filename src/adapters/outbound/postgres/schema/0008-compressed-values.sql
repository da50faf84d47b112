-- lz4 takes less time than writing what it saves, and less than the compression that PostgreSQL uses by default. A server
-- that was built without lz4 stores rounds uncompressed, as before.
DO $$
BEGIN
  ALTER TABLE {schema}.records ALTER COLUMN value SET COMPRESSION lz4;
  ALTER TABLE {schema}.log ALTER COLUMN changes SET COMPRESSION lz4;
  ALTER TABLE {schema}.log ALTER COLUMN changes SET STORAGE EXTENDED;
EXCEPTION WHEN feature_not_supported THEN
END
$$;
