import {
  lastStatusOf,
  type AttemptOutcome,
  type EndedCall,
  type StoredAttempt,
} from '../../../../domain/attempts/attempt-record.ts';
import { parsedJson } from '../../../../domain/values/json.ts';

/**
 * The field of a job's hash with its latest attempts, so that removing the job removes them. Each is a line, a JSON
 * array: its number, when it started, how many ms it took, the code of its outcome, the status, the replica, the
 * response, the reason, the id of the trace, the id of its call and how many jobs that had; if its holder lost the
 * job, its token and how often the job had started; and what its start counted in limiters, if that was reported. Nulls at the end may be left out. Of a job with steps, the last element
 * is a list of the names of those that the attempt saved.
 */
export const RECORDED = 'jobgate:attempts';

export const OUTCOME_CODES = {
  completed: 'c',
  failed: 'f',
  timeout: 't',
  refused: 'r',
  deferred: 'd',
  suspended: 'w',
  stalled: 's',
  cancelled: 'x',
} as const satisfies Readonly<Record<AttemptOutcome, string>>;

const OUTCOMES: ReadonlyMap<unknown, AttemptOutcome> = new Map(
  Object.entries(OUTCOME_CODES).map(([outcome, code]) => [code, outcome as AttemptOutcome]),
);

/** The rest of a line, which the script does not know. A reason that the response already contains is `true`. */
export function endedCall(call: EndedCall, replica: string, reason = call.doubt): string {
  const { outcome, status, response, traceId, batch, cost } = call;
  const said = reason !== undefined && reason === response ? true : reason;
  const fields = [OUTCOME_CODES[outcome], status, replica, response, said, traceId];
  if (cost !== undefined) fields.push(batch?.id, batch?.size, undefined, undefined, cost);
  else if (batch !== undefined) fields.push(batch.id, batch.size);
  // Missing values at the end may be left out, except the replica.
  while (fields.length > 3 && fields.at(-1) === undefined) fields.pop();
  return JSON.stringify(fields).slice(1);
}

/** The attempts, oldest first. Lines that cannot be read are left out. */
export function readAttempts(recorded: string): readonly StoredAttempt[] {
  return recorded.split('\n').flatMap((line) => {
    const attempt = readLine(line);
    return attempt === undefined ? [] : [attempt];
  });
}

/** Attempts as their field has them. */
export function attemptsText(attempts: readonly StoredAttempt[]): string {
  return attempts.map(lineOf).join('\n');
}

function lineOf(attempt: StoredAttempt): string {
  const { number, startedAt, endedAt, outcome, status, replica, response, reason } = attempt;
  const { traceId, batch, taken, cost, saved } = attempt;
  const fields: (string | number | null | readonly string[])[] = [
    number,
    startedAt,
    endedAt - startedAt,
    OUTCOME_CODES[outcome],
    status,
    replica,
    response,
    reason,
    traceId,
    batch?.id ?? null,
    batch?.size ?? null,
    taken?.token ?? null,
    taken?.starts ?? null,
    cost ?? null,
  ];
  // Nulls at the end may be left out, except the replica.
  while (fields.length > 6 && fields.at(-1) === null) fields.pop();
  if (saved !== undefined) fields.push(saved);
  return JSON.stringify(fields);
}

/** The beginning of the last line: when it started, how long it took, and its status. */
const LAST_LINE = /(?:^|\n)\[\d+,(\d+),(\d+),"\w",(\d+|null)[^\n]*$/;

/**
 * The status of the last answer; null if there is none, or the record cannot be read.
 *
 * @param recorded the attempts, or the first five fields of the last line.
 */
export function lastAnswerStatus(recorded: string, finishedOn: number | null): number | null {
  const [line, startedAt, took, status] = LAST_LINE.exec(recorded) ?? [];
  if (line === undefined) return null;
  const endedAt = Number(startedAt) + Number(took);
  return lastStatusOf({ endedAt, status: status === 'null' ? null : Number(status) }, finishedOn);
}

type Line = readonly [
  number: number,
  startedAt: number,
  duration: number,
  code: string,
  status: number | null,
  replica: string | null,
  response?: string | null,
  reason?: string | true | null,
  traceId?: string | null,
  batch?: string | null,
  size?: number | null,
  token?: string | null,
  starts?: number | null,
  cost?: number | null,
];

function readLine(line: string): StoredAttempt | undefined {
  const whole = parsedJson(line);
  if (!Array.isArray(whole)) return undefined;
  const last: unknown = whole.at(-1);
  const saved = Array.isArray(last) ? (last as readonly string[]) : undefined;
  const fields = (saved === undefined ? whole : whole.slice(0, -1)) as unknown as Line;
  const [number, startedAt, duration, code, status, replica] = fields;
  const [, , , , , , response = null, reason = null, traceId = null] = fields;
  const [, , , , , , , , , batch, size, token, starts, cost] = fields;
  const outcome = OUTCOMES.get(code);
  const isWhole = [number, startedAt, duration].every((each) => Number.isSafeInteger(each));
  if (outcome === undefined || !isWhole) return undefined;
  const endedAt = startedAt + duration;
  const failure = reason === true ? response : reason;
  return {
    number,
    startedAt,
    endedAt,
    outcome,
    status,
    reason: failure,
    response,
    replica,
    traceId,
    ...(typeof batch === 'string' && typeof size === 'number' && { batch: { id: batch, size } }),
    ...(typeof cost === 'number' && { cost }),
    ...(saved && { saved }),
    ...(typeof token === 'string' && typeof starts === 'number' && { taken: { token, starts } }),
  };
}
