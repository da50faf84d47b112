import { mixed, ValidationError, type Schema, type TestContext } from 'yup';
import { endpointRules } from '../../../../../domain/endpoint.ts';
import { queueNameRule, type QueueNameLimits } from '../../../../../domain/queue-name.ts';
import { workerOptionRules } from '../../../../../domain/worker-options.ts';
import { MAX_MISTAKES } from '../../messages/mistakes.ts';
import { optional, optionalObject, required, requiredObject } from './field-schemas.ts';

const { headers, headerName, headerValue } = endpointRules;

const headersSchema = mixed()
  .nullable()
  .test('headers', function (this: TestContext, value: unknown) {
    if (value === undefined) return true;
    if (!headers.accepts(value)) return this.createError({ message: `must ${headers.must}` });
    const errors: ValidationError[] = [];
    for (const [member, content] of Object.entries(value as object)) {
      if (errors.length === MAX_MISTAKES) break;
      const rule = member !== '__proto__' && headerName.accepts(member) ? headerValue : headerName;
      if (rule === headerValue && rule.accepts(content)) continue;
      errors.push(this.createError({ message: `must ${rule.must}`, params: { member } }));
    }
    return errors.length === 0 || new ValidationError(errors);
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
