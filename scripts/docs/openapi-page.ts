import { serviceDocument } from '../../src/adapters/inbound/http/api/openapi/service-document.ts';
import { apiRoutes } from '../../src/adapters/inbound/http/api/routes/api-routes.ts';
import { EventLoopTurns } from '../../src/adapters/inbound/http/messages/event-loop-turns.ts';
import { openApiText } from '../../src/adapters/inbound/http/site/site-pages.ts';
import type { Application } from '../../src/application/application.ts';
import { operationCatalogue } from '../../src/application/operation-catalogue.ts';
import { queueName } from '../../src/domain/queues/queue-name.ts';
import { loadConfig } from '../../src/infrastructure/config/load-config.ts';
import { version } from '../../src/infrastructure/version.ts';

/** The text that a service with default settings answers to `GET /openapi.json`. */
export function openApiPage(): string {
  const { nameLimits, prefix } = loadConfig({}, { readFile: () => '', isTerminal: false }).queues;
  const name = queueName(nameLimits);
  // The operations are described, and none is performed.
  const catalogue = operationCatalogue({} as Application, prefix);
  const routes = apiRoutes(catalogue, {
    repairCodes: { issue: unused, use: unused },
    turns: new EventLoopTurns(),
    queueName: name,
    maxReturnValue: Infinity,
    version: version(),
  });
  return openApiText(serviceDocument(routes, version(), name).document());
}

function unused(): never {
  throw new Error('No operation is performed');
}
