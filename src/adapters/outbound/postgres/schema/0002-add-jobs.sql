-- Adding jobs by SQL, in a transaction of the caller: add_jobs checks them and leaves them in the inbox, from which a
-- replica takes them in a round once that transaction is committed.

-- What the replicas check of an add, in one row, which each replica writes when it starts:
-- {"job": {…}, "queue": {…}, "prefix": "bull", "most": {"jobs": 1000, "bytes": 10485760, "values": 500000, "levels": 500}}.
CREATE TABLE {schema}.checks (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  value jsonb NOT NULL
);

-- How many jobs wait in the queues that have a maxWaiting, as of about a second ago.
CREATE TABLE {schema}.waiting (
  queue text COLLATE "C" PRIMARY KEY,
  jobs bigint NOT NULL
) WITH (fillfactor = 50);

-- What add_jobs added and no replica has taken yet, one row for each call.
CREATE TABLE {schema}.inbox (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  queue text COLLATE "C" NOT NULL,
  -- When, in epoch milliseconds.
  added bigint NOT NULL,
  -- How many of the jobs have no delay.
  waiting integer NOT NULL,
  bytes integer NOT NULL,
  -- [{"id": "…", "name": "…", "data": …, "opts": {…}}, …]
  jobs json NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX inbox_transaction ON {schema}.inbox (transaction);
CREATE INDEX inbox_queue ON {schema}.inbox (queue);

-- The ids of these jobs. Rounds number theirs from 1, and would reach this number after 1e15 jobs in one queue.
CREATE SEQUENCE {schema}.job_ids MINVALUE 1000000000000001;

-- A JSON number as JavaScript reads it.
CREATE FUNCTION {schema}.as_double(value jsonb) RETURNS double precision
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN abs(value::numeric) > 1.7976931348623157e308 THEN sign(value::numeric) * double precision 'Infinity'
    WHEN abs(value::numeric) < 2.4703282292062328e-324 THEN 0
    WHEN abs(value::numeric) < 4.95e-324 THEN sign(value::numeric) * double precision '4.94065645841247e-324'
    ELSE value::numeric::double precision
  END
$$;

-- Whether a value without parts is what a rule says: the keywords are those of JSON Schema.
CREATE FUNCTION {schema}.fits(value jsonb, rule jsonb) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  kind text := rule->>'type';
  content text;
  number double precision;
BEGIN
  IF value IS NULL THEN RETURN false; END IF;
  IF kind IS NULL THEN RETURN true; END IF;
  IF jsonb_typeof(value) <> replace(kind, 'integer', 'number') THEN RETURN false; END IF;
  IF kind = 'string' THEN
    content := value #>> '{}';
    RETURN length(content) >= coalesce((rule->>'minLength')::integer, 0)
      AND length(content) <= coalesce((rule->>'maxLength')::integer, length(content))
      AND coalesce(content ~ (rule->>'pattern'), true)
      AND coalesce(rule->'enum' ? content, true)
      AND NOT coalesce(rule->'not'->'enum' ? content, false);
  ELSIF kind <> 'boolean' THEN
    number := as_double(value);
    RETURN number >= coalesce((rule->>'minimum')::double precision, number)
      AND number <= coalesce((rule->>'maximum')::double precision, number)
      AND (kind = 'number' OR number = trunc(number));
  END IF;
  RETURN true;
END
$$;

-- A string's length in UTF-16, or how many items or fields a value has.
CREATE FUNCTION {schema}.size_of(value jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE jsonb_typeof(value)
    WHEN 'string' THEN length(value #>> '{}') + length(regexp_replace(value #>> '{}', '[^\U00010000-\U0010ffff]', '', 'g'))
    WHEN 'array' THEN jsonb_array_length(value)
    WHEN 'object' THEN (SELECT count(*) FROM jsonb_object_keys(value))
    ELSE 0
  END
$$;

CREATE FUNCTION {schema}.member_path(path text, name text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT path || '.' || CASE name WHEN '' THEN '""' ELSE name END
$$;

-- What is wrong in a value, NULL for one that is missing. The place of a part is that in its parents; a part that is
-- missing comes after all others.
CREATE FUNCTION {schema}.mistakes(value jsonb, rule jsonb, path text, place integer[])
RETURNS TABLE (at integer[], part text, problem text)
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  field jsonb;
  index integer;
BEGIN
  WHILE rule ? 'choice' LOOP
    IF rule ? 'most' THEN
      rule := CASE WHEN size_of(value) > (rule->>'most')::bigint THEN rule#>'{choice,0}' ELSE rule#>'{choice,1}' END;
      IF NOT rule ? 'choice' AND rule->'never' = 'true' THEN EXIT; END IF;
    ELSE
      rule := CASE WHEN jsonb_typeof(value) = rule->>'of' THEN rule#>'{choice,0}' ELSE rule#>'{choice,1}' END;
    END IF;
  END LOOP;
  IF rule->'never' = 'true' OR NOT rule ? 'fields' AND NOT fits(value, rule)
    OR rule ? 'fields' AND jsonb_typeof(value) IS DISTINCT FROM 'object'
  THEN
    RETURN QUERY SELECT place, path, 'must ' || (rule->>'must');
  ELSIF rule ? 'fields' THEN
    FOR field, index IN SELECT * FROM jsonb_array_elements(rule->'fields') WITH ORDINALITY LOOP
      IF value ? (field->>'name') THEN
        RETURN QUERY SELECT * FROM mistakes(
          value->(field->>'name'), field->'rule', member_path(path, field->>'name'),
          place || (SELECT n::integer FROM jsonb_object_keys(value) WITH ORDINALITY AS k (name, n) WHERE k.name = field->>'name')
        );
      ELSIF (field->>'required')::boolean THEN
        RETURN QUERY SELECT * FROM mistakes(
          NULL, field->'rule', member_path(path, field->>'name'), place || 2147483647 || index
        );
      END IF;
    END LOOP;
    RETURN QUERY SELECT place || n::integer, member_path(path, name), 'is not a known field'
      FROM jsonb_object_keys(value) WITH ORDINALITY AS k (name, n)
      WHERE NOT rule->'names' ? name;
  END IF;
END
$$;

-- The numbers in a value that a double cannot hold.
CREATE FUNCTION {schema}.unfit_numbers(value jsonb, path text, place integer[])
RETURNS TABLE (at integer[], part text, problem text)
LANGUAGE sql STABLE AS $$
  WITH RECURSIVE parts (value, path, place) AS (
    SELECT value, path, place
    UNION ALL
    SELECT child.value, child.path, child.place FROM parts, LATERAL (
      SELECT item.value, parts.path || '[' || n - 1 || ']', parts.place || (n - 1)::integer
      FROM jsonb_array_elements(CASE jsonb_typeof(parts.value) WHEN 'array' THEN parts.value END)
        WITH ORDINALITY AS item (value, n)
      UNION ALL
      SELECT field.value, {schema}.member_path(parts.path, field.key), parts.place || n::integer
      FROM ROWS FROM (jsonb_each(CASE jsonb_typeof(parts.value) WHEN 'object' THEN parts.value END))
        WITH ORDINALITY AS field (key, value, n)
    ) AS child (value, path, place)
  )
  SELECT parts.place, parts.path, CASE
    WHEN parts.value::text NOT LIKE '%.%' THEN 'is an integer that would lose digits, send it as a string'
    ELSE 'is a number too large to be kept'
  END
  FROM parts WHERE CASE WHEN jsonb_typeof(parts.value) = 'number' THEN
    abs(parts.value::numeric) > CASE
      WHEN parts.value::text LIKE '%.%' THEN 1.7976931348623157e308 ELSE 9007199254740992
    END
  END
$$;

-- A client's text as a message quotes it.
CREATE FUNCTION {schema}.excerpt(content text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(
    CASE WHEN length(content) > 200 THEN left(content, 200) || '...' ELSE content END,
    '[\u0001-\u001f\u007f-\u009f]', U&'\FFFD', 'g'
  )
$$;

-- The policy in force for a queue, and the terms of its groups.
CREATE FUNCTION {schema}.policy_of(queue text, OUT policy jsonb, OUT groups jsonb)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- As the ids of records are written.
  written text := CASE WHEN starts_with(queue, '"') THEN to_json(queue)::text ELSE queue END;
  of_all jsonb;
  own jsonb;
  of_worker jsonb;
BEGIN
  SELECT value INTO of_all FROM records WHERE (kind, records.queue, id) = ('policy', '', '');
  SELECT value INTO own FROM records WHERE (kind, records.queue, id) = ('policy', '', written);
  SELECT value->'opts'->'groups' INTO of_worker FROM records WHERE (kind, records.queue, id) = ('worker', '', written);
  of_all := coalesce(of_all, '{}');
  own := coalesce(own, '{}');
  policy := of_all || own || jsonb_build_object(
    'defaults', coalesce(of_all->'defaults', '{}') || coalesce(own->'defaults', '{}')
  );
  groups := coalesce(of_worker, '{}') || coalesce(policy->'groups', '{}');
END
$$;

-- A job without the header values of its callback, which a policy may give.
CREATE FUNCTION {schema}.without_secrets(job jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN job#>'{opts,callback,headers}' IS NULL THEN job ELSE jsonb_set(
    job, '{opts,callback,headers}', (
      SELECT coalesce(jsonb_object_agg(name, '[redacted]'), '{}')
      FROM jsonb_object_keys(job#>'{opts,callback,headers}') AS name
    )
  ) END
$$;

-- Ends the statement with the text of an error of the HTTP interface.
CREATE FUNCTION {schema}.refuse(message text, state text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING MESSAGE = message, ERRCODE = state;
END
$$;

-- Adds jobs to a queue when the transaction of the caller is committed: all of them, or none. Returns them as
-- POST /queues/{queue}/jobs does. Fails with the texts of that: as invalid_parameter_value (22023) where that answers
-- 400, program_limit_exceeded (54000) for 413, and configuration_limit_exceeded (53400) for 429.
CREATE FUNCTION {schema}.add_jobs(queue text, jobs jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = {schema}, pg_temp AS $$
DECLARE
  rules jsonb := (SELECT value FROM checks);
  bytes integer := octet_length(jobs::text);
  now bigint := extract(epoch FROM clock_timestamp()) * 1000;
  policy jsonb;
  groups jsonb;
  problem text;
  made jsonb;
  to_wait integer;
BEGIN
  IF rules IS NULL THEN
    PERFORM refuse('No replica of jobgate has started on this schema yet', '55000');
  END IF;
  SELECT 'queue name ' || m.problem INTO problem FROM mistakes(to_jsonb(queue), rules->'queue', '', '{}') m LIMIT 1;
  IF problem IS NOT NULL THEN PERFORM refuse(problem, '22023'); END IF;
  IF bytes > (rules#>>'{most,bytes}')::integer THEN
    PERFORM refuse(format('The request body must be of at most %s bytes', rules#>>'{most,bytes}'), '54000');
  END IF;
  IF jsonb_typeof(jobs) IS DISTINCT FROM 'array' THEN
    PERFORM refuse('The request body must be an array of jobs', '22023');
  END IF;
  IF jsonb_array_length(jobs) > (rules#>>'{most,jobs}')::integer THEN
    PERFORM refuse(format('A request must add at most %s jobs', rules#>>'{most,jobs}'), '54000');
  END IF;
  -- Each level takes two bytes at least, and so does each value.
  IF bytes > 2 * (rules#>>'{most,levels}')::integer AND jsonb_path_exists(
    jobs, format('strict $.**{%s} ? (@.type() == "object" || @.type() == "array")', rules#>>'{most,levels}')::jsonpath
  ) THEN
    PERFORM refuse(format('The request body is nested deeper than %s levels', rules#>>'{most,levels}'), '22023');
  END IF;
  IF bytes > 2 * (rules#>>'{most,values}')::integer
    AND (SELECT count(*) FROM jsonb_path_query(jobs, 'strict $.**')) > (rules#>>'{most,values}')::integer
  THEN
    PERFORM refuse(format('The request body holds more than %s values', rules#>>'{most,values}'), '22023');
  END IF;

  SELECT string_agg(coalesce(nullif(excerpt(m.part), ''), 'The request body') || ' ' || m.problem, E'\n' ORDER BY m.at)
  INTO problem FROM (
    -- Of two mistakes in one part, a number that does not fit is the lesser.
    SELECT DISTINCT ON (every.at) every.* FROM (
      SELECT m.*, 1 AS rank FROM jsonb_array_elements(jobs) WITH ORDINALITY AS job (value, n),
        mistakes(job.value, rules->'job', '[' || n - 1 || ']', ARRAY[(n - 1)::integer]) AS m
      UNION ALL
      SELECT m.*, 2 FROM unfit_numbers(
        CASE WHEN jsonb_path_exists(jobs, 'strict $.** ? (@ > 9007199254740992 || @ < -9007199254740992)')
          THEN jobs END,
        '', '{}'
      ) AS m
    ) AS every
    ORDER BY every.at, every.rank LIMIT 10
  ) AS m;
  IF problem IS NOT NULL THEN PERFORM refuse(problem, '22023'); END IF;

  SELECT * INTO policy, groups FROM policy_of(queue);
  IF policy ? 'maxJobSize' THEN
    -- The bytes without the spaces that PostgreSQL writes between the parts of a value.
    SELECT format('[%s].data must be of at most %s bytes (maxJobSize of the policy)', n - 1, policy->>'maxJobSize')
    INTO problem FROM jsonb_array_elements(jobs) WITH ORDINALITY AS job (value, n)
    WHERE octet_length(job.value->>'data') > (policy->>'maxJobSize')::bigint / 2
      AND octet_length((job.value->'data')::text) - (
        SELECT length(bare) - length(replace(bare, ' ', ''))
        FROM regexp_replace((job.value->'data')::text, '"(?:[^"\\]|\\.)*"', '', 'g') AS bare
      ) > (policy->>'maxJobSize')::bigint
    ORDER BY n LIMIT 1;
    IF problem IS NOT NULL THEN PERFORM refuse(problem, '54000'); END IF;
  END IF;
  IF coalesce(groups->'ordered', 'false') <> 'false' THEN
    SELECT format('[%s].opts.%s must not be given for a job of an ordered group', n - 1,
      CASE WHEN job.value->'opts'->'lifo' = 'true' THEN 'lifo' ELSE 'priority' END)
    INTO problem FROM jsonb_array_elements(jobs) WITH ORDINALITY AS job (value, n)
    WHERE job.value->'opts' ? 'group'
      AND (job.value->'opts'->'lifo' = 'true' OR (job.value->'opts'->>'priority')::numeric > 0)
    ORDER BY n LIMIT 1;
    IF problem IS NOT NULL THEN PERFORM refuse(problem, '22023'); END IF;
  END IF;

  WITH given AS MATERIALIZED (
    SELECT job.value AS job, n, '{"attempts": 0, "delay": 0}'
      || coalesce(policy->'defaults', '{}') || coalesce(job.value->'opts', '{}') AS opts
    FROM jsonb_array_elements(jobs) WITH ORDINALITY AS job (value, n)
  ), numbered AS MATERIALIZED (
    SELECT n, jsonb_build_object(
      'id', coalesce(opts->>'jobId', nextval('job_ids')::text), 'name', job->'name', 'data', job->'data',
      'opts', opts || CASE jsonb_typeof(opts->'backoff')
        WHEN 'number' THEN jsonb_build_object('backoff', jsonb_build_object('type', 'fixed', 'delay', opts->'backoff'))
        WHEN 'object' THEN jsonb_build_object('backoff', '{"delay": 0}' || (opts->'backoff'))
        ELSE '{}'
      END
    ) AS job FROM given ORDER BY n
  )
  SELECT coalesce(jsonb_agg(job ORDER BY n), '[]'),
    count(*) FILTER (WHERE (job#>>'{opts,delay}')::numeric = 0)
  INTO made, to_wait FROM numbered;
  IF made = '[]' THEN RETURN made; END IF;

  IF to_wait > 0 AND policy ? 'maxWaiting' AND (policy->>'maxWaiting')::bigint < to_wait
    + coalesce((SELECT w.jobs FROM waiting w WHERE w.queue = add_jobs.queue), 0)
    + (SELECT coalesce(sum(i.waiting), 0) FROM inbox i WHERE i.queue = add_jobs.queue)
  THEN
    PERFORM refuse(format(
      'The queue is full: at most %s jobs may wait (maxWaiting of the policy)', policy->>'maxWaiting'
    ), '53400');
  END IF;
  INSERT INTO inbox (queue, added, waiting, bytes, jobs) VALUES (add_jobs.queue, now, to_wait, bytes, made::text::json);
  PERFORM pg_notify('jobgate inbox ' || current_schema(), pg_current_xact_id()::text);
  RETURN (
    SELECT jsonb_agg(without_secrets(job) || jsonb_build_object(
      'progress', 0, 'returnvalue', NULL, 'stacktrace', NULL, 'attemptsStarted', 0, 'attemptsMade', 0,
      'delay', job#>'{opts,delay}', 'timestamp', now,
      'queueQualifiedName', (rules->>'prefix') || ':' || add_jobs.queue
    ) || CASE
      WHEN (job#>>'{opts,priority}')::numeric > 0 THEN jsonb_build_object('priority', job#>'{opts,priority}') ELSE '{}'
    END || CASE
      WHEN job->'opts' ? 'deduplication' THEN jsonb_build_object('deduplicationId', job#>'{opts,deduplication,id}') ELSE '{}'
    END ORDER BY n)
    FROM jsonb_array_elements(made) WITH ORDINALITY AS made_job (job, n)
  );
END
$$;

-- Whoever may add jobs by SQL needs no right but EXECUTE on add_jobs and USAGE of the schema.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA {schema} FROM PUBLIC;
