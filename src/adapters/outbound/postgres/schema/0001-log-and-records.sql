-- What each round of a replica changed, in the order in which the rounds followed each other: the truth about the store.
CREATE TABLE {schema}.log (
  round bigint PRIMARY KEY,
  -- Who wrote it.
  replica text NOT NULL,
  written timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- [{"kind": "job", "queue": "mail", "id": "7", "value": {…}}, …]: each record as it is from this round on, null when
  -- it is gone.
  changes json NOT NULL
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 100000
);
-- Compressing takes longer than writing, and most rounds are deleted within a minute.
ALTER TABLE {schema}.log ALTER COLUMN changes SET STORAGE EXTERNAL;

-- The records as they were after one round: a replica that starts reads them, and the log from there on.
CREATE TABLE {schema}.records (
  kind text COLLATE "C" NOT NULL,
  -- Empty for records of no queue.
  queue text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  value json NOT NULL,
  PRIMARY KEY (kind, queue, id)
) WITH (
  fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0.1
);

-- That round, in one row.
CREATE TABLE {schema}.folded (round bigint NOT NULL);
INSERT INTO {schema}.folded VALUES (0);
