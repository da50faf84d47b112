import { invalidRequest } from '../../../../domain/errors.ts';
import {
  logLineTooLarge,
  MAX_REPORT_SIZE,
  progressTooLarge,
} from '../../../../domain/job-report.ts';
import type { JobInput } from '../../../../domain/job.ts';
import type { Json } from '../../../../domain/json.ts';
import type { QueueNameLimits } from '../../../../domain/queue-name.ts';
import type { Worker } from '../../../../domain/worker.ts';
import { decodeText, parseJson } from '../json-text.ts';
import type { BodyFormat } from '../request-body.ts';
import { validate } from '../validate.ts';
import { jobSchema } from './job.schema.ts';
import { isPlainJob } from './plain-job.ts';
import { workerSchema } from './worker.schema.ts';

export const jobsBody: BodyFormat<readonly JobInput[]> = {
  expected: 'a JSON array of jobs',
  parse: (bytes) => {
    const value = parseJson(bytes);
    if (!Array.isArray(value)) throw invalidRequest('The request body must be an array of jobs');
    value.forEach((job, index) => {
      if (!isPlainJob(job)) validate(jobSchema, job, `[${index}]`);
    });
    return value as unknown as readonly JobInput[];
  },
};

export function workerBody(limits: QueueNameLimits): BodyFormat<Worker> {
  const schema = workerSchema(limits);
  return {
    expected: 'a worker as a JSON object',
    parse: (bytes) => {
      const value: unknown = parseJson(bytes);
      validate(schema, value, '');
      return value as Worker;
    },
  };
}

/** JSON text may write any character as an escape of six; quotes stand around a line. */
const MAX_REPORT_BODY = 6 * MAX_REPORT_SIZE + 2;

export const progressBody: BodyFormat<Json> = {
  expected: 'any JSON value',
  limit: { bytes: MAX_REPORT_BODY, tooLarge: progressTooLarge },
  parse: parseJson,
};

/** A JSON string, or anything that is no JSON at all: then the body is the line itself. */
export const logBody: BodyFormat<string> = {
  expected: 'a log line',
  limit: { bytes: MAX_REPORT_BODY, tooLarge: logLineTooLarge },
  parse: (bytes) => {
    const text = decodeText(bytes);
    const value = tryParse(text);
    if (value === undefined) return text;
    if (typeof value !== 'string') throw invalidRequest('The log line must be a string');
    return value;
  },
};

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
