import type { EndpointBody } from '../../../domain/calls/endpoint.ts';
import type { FlowChild } from '../../../domain/flows/flow-child.ts';
import { jobJson } from '../../../domain/jobs/job-json.ts';
import type { Job } from '../../../domain/jobs/job.ts';

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
  children: readonly FlowChild[] | undefined,
): CallBody | undefined {
  switch (body) {
    case 'envelope':
      return jsonBody({ job: jobJson(job, queuePrefix), token, ...(children && { children }) });
    case 'data': {
      const { data } = job;
      if (typeof data !== 'string') return jsonBody(data);
      return { bytes: Buffer.from(data), contentType: TEXT_TYPE };
    }
    case 'none':
      return undefined;
  }
}

function jsonBody(value: unknown): CallBody {
  return { bytes: Buffer.from(JSON.stringify(value)), contentType: JSON_TYPE };
}
