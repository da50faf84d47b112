/** The most characters of JSON that a field of a job may take in the result of a tool. */
const LONGEST = 2000;

/**
 * The fields that clients and endpoints may fill up to the limits of the service, and the routes that return them
 * whole.
 */
const UNBOUNDED: Readonly<Record<string, string>> = {
  data: 'GET /queues/{queue}/jobs/{jobId}/data',
  returnvalue: 'GET /queues/{queue}/jobs/{jobId}/returnvalue',
  progress: 'GET /queues/{queue}/jobs/{jobId}',
  failedReason: 'GET /queues/{queue}/jobs/{jobId}',
  stacktrace: 'GET /queues/{queue}/jobs/{jobId}',
  opts: 'GET /queues/{queue}/jobs/{jobId}',
  deduplicationId: 'GET /queues/{queue}/jobs/{jobId}',
};

/** A value that is too long for a language model to read. */
interface Cut {
  /** The beginning of its JSON. */
  readonly start: string;
  /** The length of its JSON in characters. */
  readonly length: number;
  readonly leftOut: string;
}

/**
 * The job, with each field that is too long replaced by its beginning, its length and the route that returns all of it.
 */
export function boundedJob(job: object): Record<string, unknown> {
  const bounded = Object.entries(job as Readonly<Record<string, unknown>>).map(([name, value]) => {
    const route = UNBOUNDED[name];
    return [name, route === undefined ? value : boundedValue(value, route)];
  });
  return Object.fromEntries(bounded) as Record<string, unknown>;
}

/** Any object with each field cut whose JSON has more than `longest` characters. */
export function boundedFields(
  value: Readonly<Record<string, unknown>>,
  longest: number,
): Record<string, unknown> {
  const bounded = Object.entries(value).map(([name, each]) => [
    name,
    boundedValue(each, 'the API', longest),
  ]);
  return Object.fromEntries(bounded) as Record<string, unknown>;
}

function boundedValue(value: unknown, place: string, longest = LONGEST): unknown {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) return value;
  if (json.length <= longest) return value;
  const leftOut = `${json.length - longest} characters are left out: ${place} has all of it`;
  return { start: json.slice(0, longest), length: json.length, leftOut } satisfies Cut;
}
