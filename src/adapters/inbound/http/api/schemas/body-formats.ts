import type { Order } from '../../../../../application/operations/input.ts';
import { invalidRequest } from '../../../../../domain/errors.ts';
import {
  logLineTooLarge,
  MAX_REPORT_BODY,
  MAX_REPORT_SIZE,
} from '../../../../../domain/attempts/job-report.ts';
import { jobInputShape, type JobInput } from '../../../../../domain/jobs/job.ts';
import { parsedJson } from '../../../../../domain/values/json.ts';
import {
  anyJson,
  bounded,
  listOf,
  string,
  type Shape,
} from '../../../../../domain/values/shape.ts';
import type { JsonInspection } from '../../../exchange/json-inspection.ts';
import { MAX_VALUES } from '../../../../shared/json-limits.ts';
import { bodyLimit } from '../../../exchange/request-body.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import {
  decodeText,
  inspectBody,
  numberMistakes,
  parseJson,
  readJson,
} from '../../messages/json-text.ts';
import { MAX_MISTAKES, mistaken, type Mistake } from '../../messages/mistakes.ts';
import { LONG_BODY, type BodyFormat } from '../../messages/body-format.ts';
import { LargeBatch } from './large-batch.ts';
import { shapeMistakes } from './shape-mistakes.ts';

/** The body of an order, with all its mistakes reported. */
export function orderBody<Value>(order: Order<Value>): BodyFormat<unknown> {
  const { shape, expected, whenAbsent, most, tooLarge } = order;
  return {
    expected,
    content: { 'application/json': { schema: shape.schema } },
    ...(whenAbsent !== undefined && { whenAbsent }),
    ...(most !== undefined && {
      limit: tooLarge === undefined ? bodyLimit(most) : { bytes: most, tooLarge },
    }),
    parse: shape === anyJson ? parseJson : (bytes) => shaped(shape, bytes),
  };
}

function shaped(shape: Shape<unknown>, bytes: Buffer): unknown {
  const { value, mistakes } = readJson(bytes);
  const shapes = shapeMistakes(shape, value, []);
  if (mistakes.length + shapes.length > 0) throw mistaken([...mistakes, ...shapes], value);
  return value;
}

/** Creating more values at once would keep all other requests waiting. */
const MANY_VALUES = 40_000;

export const jobsBody: BodyFormat<readonly JobInput[]> = {
  expected: 'a JSON array of jobs',
  content: { 'application/json': { schema: bounded(MAX_VALUES, listOf(jobInputShape)).schema } },
  parse: (bytes, turns) => {
    const inspection = inspectBody(bytes);
    if (bytes.length > LONG_BODY || inspection.values > MANY_VALUES) {
      return jobsInTurns(bytes, inspection, turns);
    }
    const { value, mistakes } = readJson(bytes, inspection);
    return jobsOf(value, mistakes);
  },
};

async function jobsInTurns(
  bytes: Buffer,
  inspection: JsonInspection,
  turns: EventLoopTurns,
): Promise<readonly JobInput[]> {
  await turns.next();
  const batch = new LargeBatch(bytes);
  const value = await batch.read(turns);
  await turns.next();
  const read = inspection.unfit.filter(({ at }) => at < batch.position);
  return jobsOf(value, numberMistakes(bytes, read));
}

/** @throws DomainError `invalid-request` that reports the first mistakes. */
function jobsOf(value: unknown, numbers: readonly Mistake[]): readonly JobInput[] {
  if (!Array.isArray(value)) throw invalidRequest('The request body must be an array of jobs');
  const shapes: Mistake[] = [];
  for (let index = 0; index < value.length && shapes.length < MAX_MISTAKES; index += 1) {
    shapes.push(...shapeMistakes(jobInputShape, value[index], [index]));
  }
  if (numbers.length + shapes.length > 0) throw mistaken([...numbers, ...shapes], value);
  return value as readonly JobInput[];
}

/** A longer one is refused by its bytes, with 413. */
const logLine = bounded(MAX_REPORT_SIZE, string);

/** A JSON string, or anything that is not JSON at all: then the body itself is the line. */
export const logBody: BodyFormat<string> = {
  expected: 'a log line',
  content: {
    'application/json': { schema: logLine.schema },
    'text/plain': { schema: logLine.schema },
  },
  limit: { bytes: MAX_REPORT_BODY, tooLarge: logLineTooLarge },
  parse: (bytes) => {
    const text = decodeText(bytes);
    const value = parsedJson(text);
    if (value === undefined) return text;
    if (typeof value !== 'string') throw invalidRequest('The log line must be a string');
    return value;
  },
};
