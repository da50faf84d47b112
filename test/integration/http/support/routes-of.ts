import type { Route } from '../../../../src/adapters/inbound/http/api/route.ts';
import { paths } from '../../../../src/adapters/inbound/http/api/paths.ts';
import { EventLoopTurns } from '../../../../src/adapters/inbound/http/messages/event-loop-turns.ts';
import type { Application } from '../../../../src/application/application.ts';
import { operationCatalogue } from '../../../../src/application/operation-catalogue.ts';
import { queueName } from '../../../../src/domain/queues/queue-name.ts';

/** All routes of a service. */
export function routesOf(application: Application): readonly Route[] {
  const { repairCodes } = application;
  const name = queueName({ min: 3, max: 100 });
  const catalogue = operationCatalogue(application, {
    queuePrefix: 'bull',
    queueName: name,
    maxReturnValue: Infinity,
  });
  const turns = new EventLoopTurns();
  return paths(catalogue, { repairCodes, turns, queueName: name, version: '' });
}
