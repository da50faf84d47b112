import type { Application } from '../../src/application/application.ts';
import { operationCatalogue } from '../../src/application/operation-catalogue.ts';
import type { OperationTerms } from '../../src/application/operations/operation.ts';
import { queueName } from '../../src/domain/queues/queue-name.ts';
import { loadConfig } from '../../src/infrastructure/config/load-config.ts';

/** The settings of queues of a service with default settings. */
export const queueSettings = loadConfig({}, { readFile: () => '', isTerminal: false }).queues;

/** All operations of such a service. They are described; none can be performed. */
export const describedOperations = operationCatalogue({} as Application, {
  queuePrefix: queueSettings.prefix,
  queueName: queueName(queueSettings.nameLimits),
  maxReturnValue: Infinity,
});

/** The rows of all areas. */
export const operationRows: readonly OperationTerms[] = Object.values(describedOperations).flatMap(
  (area) => Object.values<OperationTerms>(area),
);
