import type { EndpointBody } from '../../../domain/calls/endpoint.ts';
import { jobJson } from '../../../domain/jobs/job-json.ts';
import type { Job } from '../../../domain/jobs/job.ts';
import type { NewStep } from '../../../domain/steps/step.ts';
import type { JobCall } from '../../../application/ports/webhook-port.ts';

/** The body of a call, and its type unless the registration names another. */
export interface CallBody {
  readonly bytes: Buffer;
  readonly contentType: string;
}

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/**
 * What a call carries (specification, "Outbound call to a worker endpoint", rule 1), or what the registration asks for
 * instead; undefined for no body.
 */
export function callBody(
  body: EndpointBody,
  job: Job,
  token: string,
  queuePrefix: string,
  { children, steps }: Pick<JobCall, 'children' | 'steps'>,
): CallBody | undefined {
  switch (body) {
    case 'envelope': {
      const envelope = { job: jobJson(job, queuePrefix), token, ...(children && { children }) };
      const text = withSteps(JSON.stringify(envelope), steps);
      return { bytes: Buffer.from(text), contentType: JSON_TYPE };
    }
    case 'data': {
      const { data } = job;
      if (typeof data !== 'string') return jsonBody(data);
      return { bytes: Buffer.from(data), contentType: TEXT_TYPE };
    }
    case 'none':
      return undefined;
  }
}

/** The text of an object with the steps of its job, whose values are JSON by now. */
export function withSteps(text: string, steps: readonly NewStep[] | undefined): string {
  if (steps === undefined || steps.length === 0) return text;
  const fields = steps.map(({ name, value }) => `${JSON.stringify(name)}:${value}`);
  return `${text.slice(0, -1)},"steps":{${fields.join(',')}}}`;
}

function jsonBody(value: unknown): CallBody {
  return { bytes: Buffer.from(JSON.stringify(value)), contentType: JSON_TYPE };
}
