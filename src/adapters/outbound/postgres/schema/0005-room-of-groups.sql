-- add_jobs holds the limits of groups on waiting jobs: a trigger checks what it leaves in the inbox, where the defaults
-- of the jobs and their order are known.

-- A transaction of a caller that stays open keeps its lock of the inbox. Waiting behind it in one go would keep all
-- others from the inbox, and with them the rounds.
DO $$
BEGIN
  LOOP
    BEGIN
      PERFORM set_config('lock_timeout', '500ms', true);
      LOCK TABLE {schema}.inbox IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      PERFORM pg_sleep(2);
    END;
  END LOOP;
END
$$;

-- How many of the jobs have no delay, by the ids of their groups: {"acme": 2}. NULL when none of them has a group.
ALTER TABLE {schema}.inbox ADD COLUMN groups jsonb;

-- How many jobs wait in the groups of queues in which a group has a maxWaiting, as of about a second ago. Queues and
-- groups are written as the ids of records are.
CREATE TABLE {schema}.waiting_in_groups (
  queue text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  jobs bigint NOT NULL,
  PRIMARY KEY (queue, group_id)
) WITH (fillfactor = 50);

-- An id as records have it.
CREATE FUNCTION {schema}.written_id(id text) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN starts_with(id, '"') THEN to_json(id)::text ELSE id END
$$;

-- Counts the jobs of a call by their groups. Fails with the text of the HTTP interface when a group has no room.
CREATE FUNCTION {schema}.check_room_of_groups() RETURNS trigger
LANGUAGE plpgsql SET search_path = {schema}, pg_temp AS $$
DECLARE
  in_queue text := written_id(NEW.queue);
  of_all bigint;
  limits jsonb;
  problem text;
BEGIN
  IF position('"group"' IN NEW.jobs::text) = 0 THEN RETURN NEW; END IF;
  NEW.groups := (
    SELECT jsonb_object_agg(counted.id, counted.jobs) FROM (
      SELECT j.job#>>'{opts,group,id}' AS id, count(*) AS jobs
      FROM json_array_elements(NEW.jobs) AS j (job)
      WHERE j.job#>'{opts,group}' IS NOT NULL AND (j.job#>>'{opts,delay}')::numeric = 0
      GROUP BY 1
    ) AS counted
  );
  IF NEW.groups IS NULL THEN RETURN NEW; END IF;

  SELECT (terms.groups->>'maxWaiting')::bigint INTO of_all FROM policy_of(NEW.queue) AS terms;
  limits := (
    SELECT jsonb_object_agg(named.id, named.most) FROM (
      SELECT k.id, coalesce((
        SELECT (r.value#>>'{settings,maxWaiting}')::bigint FROM records r
        WHERE (r.kind, r.queue, r.id) = ('group', in_queue, written_id(k.id))
          AND coalesce((r.value#>>'{settings,expires}')::bigint > NEW.added, true)
      ), of_all) AS most
      FROM jsonb_object_keys(NEW.groups) AS k (id)
    ) AS named WHERE named.most IS NOT NULL
  );
  IF limits IS NULL THEN RETURN NEW; END IF;

  WITH untaken AS (
    SELECT counted.key AS id, sum(counted.value::bigint)::bigint AS jobs
    FROM inbox i, jsonb_each_text(i.groups) AS counted
    WHERE i.queue = NEW.queue AND limits ? counted.key GROUP BY 1
  ), limited AS MATERIALIZED (
    SELECT l.key AS id, l.value::bigint AS most, coalesce(untaken.jobs, 0) + coalesce((
      SELECT w.jobs FROM waiting_in_groups w WHERE (w.queue, w.group_id) = (in_queue, written_id(l.key))
    ), 0) AS waiting
    FROM jsonb_each_text(limits) AS l LEFT JOIN untaken ON untaken.id = l.key
  )
  SELECT format(
    '[%s].opts.group %s has %s waiting %s', f.n - 1, f.id, f.waiting, CASE f.waiting WHEN 1 THEN 'job' ELSE 'jobs' END
  ) INTO problem FROM (
    SELECT j.n, g.id, g.most, g.waiting + row_number() OVER (PARTITION BY g.id ORDER BY j.n) - 1 AS waiting
    FROM json_array_elements(NEW.jobs) WITH ORDINALITY AS j (job, n)
    JOIN limited g ON g.id = j.job#>>'{opts,group,id}'
    WHERE (j.job#>>'{opts,delay}')::numeric = 0
  ) AS f WHERE f.waiting >= f.most ORDER BY f.n LIMIT 1;
  IF problem IS NOT NULL THEN RAISE EXCEPTION USING MESSAGE = problem, ERRCODE = '53400'; END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER room_of_groups BEFORE INSERT ON {schema}.inbox
FOR EACH ROW EXECUTE FUNCTION {schema}.check_room_of_groups();

REVOKE ALL ON FUNCTION {schema}.written_id, {schema}.check_room_of_groups FROM PUBLIC;
