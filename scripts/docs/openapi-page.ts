import { serviceDocument } from '../../src/adapters/inbound/http/api/openapi/service-document.ts';
import { paths } from '../../src/adapters/inbound/http/api/paths.ts';
import { EventLoopTurns } from '../../src/adapters/inbound/http/messages/event-loop-turns.ts';
import { openApiText } from '../../src/adapters/inbound/http/site/site-pages.ts';
import { queueName } from '../../src/domain/queues/queue-name.ts';
import { version } from '../../src/infrastructure/version.ts';
import { describedOperations, queueSettings } from './described-operations.ts';

/** The text that a service with default settings answers to `GET /openapi.json`. */
export function openApiPage(): string {
  const name = queueName(queueSettings.nameLimits);
  const routes = paths(describedOperations, {
    repairCodes: { issue: unused, use: unused },
    turns: new EventLoopTurns(),
    queueName: name,
    version: version(),
  });
  return openApiText(serviceDocument(routes, version(), name).document());
}

function unused(): never {
  throw new Error('No operation is performed');
}
