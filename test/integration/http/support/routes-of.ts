import type { Route } from '../../../../src/adapters/inbound/http/api/route.ts';
import { apiRoutes } from '../../../../src/adapters/inbound/http/api/routes/api-routes.ts';
import { EventLoopTurns } from '../../../../src/adapters/inbound/http/messages/event-loop-turns.ts';
import type { Application } from '../../../../src/application/application.ts';
import { operationCatalogue } from '../../../../src/application/operation-catalogue.ts';
import { queueName } from '../../../../src/domain/queues/queue-name.ts';

/** All routes of a service. */
export function routesOf(application: Application): readonly Route[] {
  const { repairCodes } = application;
  return apiRoutes(operationCatalogue(application, 'bull'), {
    repairCodes,
    turns: new EventLoopTurns(),
    queueName: queueName({ min: 3, max: 100 }),
    maxReturnValue: Infinity,
    version: '',
  });
}
