import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { jobInputFields } from '../../../../domain/jobs/job.ts';
import { jobOptionFields } from '../../../../domain/jobs/job-options.ts';
import { CALLED_OPTIONS } from '../../../../domain/access/called-options.ts';
import { object, optional, text, type Shape } from '../../../../domain/values/shape.ts';
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

/** Options with rules that only TypeScript can check, such as those of URLs. The function refuses them. */
const OVER_HTTP_ALONE: readonly string[] = CALLED_OPTIONS;

const leftOut = optional(
  text('be left out: only an add over HTTP may have it', () => false, { enum: [] }),
  'Not for add_jobs',
);

const optionsShape = object(
  'JobOptions',
  Object.fromEntries(
    Object.entries(jobOptionFields).map(([name, field]) => [
      name,
      OVER_HTTP_ALONE.includes(name) ? leftOut : field,
    ]),
  ),
);

const jobShape = object('Job', {
  ...jobInputFields,
  opts: { ...jobInputFields.opts, shape: optionsShape },
});

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
  const checks = { job: ruleOf(jobShape), queue: ruleOf(queueName), prefix, most };
  await database.query(
    `INSERT INTO "${schema}".checks AS c (value) VALUES ($1::json::jsonb)
     ON CONFLICT (is_only) DO UPDATE SET value = excluded.value WHERE c.value <> excluded.value`,
    [JSON.stringify(checks)],
  );
}
