import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { jobInputShape } from '../../../../domain/jobs/job.ts';
import type { Shape } from '../../../../domain/values/shape.ts';
import type { Database } from '../driver/database.ts';
import { ruleOf } from './shape-rule.ts';

/** What decides which adds are accepted, apart from the shape of jobs and from policies. */
export interface AddLimits {
  readonly queueName: Shape<QueueName>;
  /** The prefix of the qualified names of queues. */
  readonly prefix: string;
  readonly most: {
    /** How many jobs an add may have. */
    readonly jobs: number;
    readonly bytes: number;
    /** How many JSON values of any kind. */
    readonly values: number;
    /** How deep arrays and objects may be nested. */
    readonly levels: number;
  };
}

/**
 * Has the function `add_jobs` check what this replica checks. The replica that started last decides, as long as others
 * of another version or configuration run.
 *
 * @throws DatabaseError
 */
export async function publishChecks(
  database: Database,
  schema: string,
  { queueName, prefix, most }: AddLimits,
): Promise<void> {
  const checks = { job: ruleOf(jobInputShape), queue: ruleOf(queueName), prefix, most };
  await database.query(
    `INSERT INTO "${schema}".checks AS c (value) VALUES ($1::json::jsonb)
     ON CONFLICT (is_only) DO UPDATE SET value = excluded.value WHERE c.value <> excluded.value`,
    [JSON.stringify(checks)],
  );
}
