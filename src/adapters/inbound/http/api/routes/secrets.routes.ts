import type { ServiceOperations } from '../../../../../application/operations/service-operations.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { rewrapBody } from '../schemas/body-formats.ts';
import { rewrapAnswer } from '../schemas/worker-answers.ts';

/** The secrets of all workers and hooks as the store keeps them. */
export function secretRoutes(service: ServiceOperations): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/secrets/rewrap',
      operation: service.rewrapSecrets,
      tag: 'Workers',
      summary:
        'Encrypt header values and secrets of all workers and hooks with the first of ENCRYPTION_KEYS',
      description:
        'Secrets that another key or none encrypted, or an earlier version without the origin of ' +
        'the URL, are written anew; `dryRun` only counts them. 409 without ENCRYPTION_KEYS.',
      replies: { 200: jsonContent(rewrapAnswer, 'How many there were') },
      errors: ['no-encryption-key'],
      body: rewrapBody,
    }),
  ];
}
