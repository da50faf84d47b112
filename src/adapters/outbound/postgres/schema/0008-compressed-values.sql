-- lz4 takes less time than writing what it saves, and than what PostgreSQL compresses records with unless told. A server
-- that was built without it stores rounds as they are, as before.
DO $$
BEGIN
  ALTER TABLE {schema}.records ALTER COLUMN value SET COMPRESSION lz4;
  ALTER TABLE {schema}.log ALTER COLUMN changes SET COMPRESSION lz4;
  ALTER TABLE {schema}.log ALTER COLUMN changes SET STORAGE EXTENDED;
EXCEPTION WHEN feature_not_supported THEN
END
$$;
