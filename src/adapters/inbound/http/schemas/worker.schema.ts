import { mixed, type Schema, type TestContext } from 'yup';
import { endpointRules } from '../../../../domain/endpoint.ts';
import { queueNameRule, type QueueNameLimits } from '../../../../domain/queue-name.ts';
import { workerOptionRules } from '../../../../domain/worker-options.ts';
import { optional, optionalObject, required, requiredObject } from './field-schemas.ts';

const { headers, headerName, headerValue } = endpointRules;

const headersSchema = mixed()
  .nullable()
  .test('headers', function (this: TestContext, value: unknown) {
    if (value === undefined) return true;
    if (!headers.accepts(value)) return this.createError({ message: `must ${headers.must}` });
    for (const [name, content] of Object.entries(value as object)) {
      const path = `${this.path}.${name}`;
      if (name === '__proto__' || !headerName.accepts(name)) {
        return this.createError({ path, message: `must ${headerName.must}` });
      }
      if (!headerValue.accepts(content)) {
        return this.createError({ path, message: `must ${headerValue.must}` });
      }
    }
    return true;
  });

const retention = optionalObject({
  count: optional(workerOptionRules.retentionCount),
  age: optional(workerOptionRules.retentionAge),
});

/** The shape of a worker (specification, "WorkerMetadata", "EndpointOptions", "WorkerOptions"). */
export function workerSchema(limits: QueueNameLimits): Schema {
  return requiredObject({
    queue: required(queueNameRule(limits)),
    endpoint: requiredObject({
      url: required(endpointRules.url),
      method: required(endpointRules.method),
      headers: headersSchema,
      timeout: optional(endpointRules.timeout),
    }),
    opts: optionalObject({
      concurrency: optional(workerOptionRules.concurrency),
      limiter: optionalObject({
        max: required(workerOptionRules.limiterMax),
        duration: required(workerOptionRules.limiterDuration),
      }),
      removeOnComplete: retention,
      removeOnFail: retention,
      maxStalledCount: optional(workerOptionRules.maxStalledCount),
    }),
  });
}
