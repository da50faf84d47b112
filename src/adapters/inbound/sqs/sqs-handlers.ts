import type { OperationCatalogue } from '../../../application/operation-catalogue.ts';
import type { Handlers } from './handlers/handler.ts';
import { labelHandlers } from './handlers/label-handlers.ts';
import { moveHandlers } from './handlers/move-handlers.ts';
import { queueHandlers } from './handlers/queue-handlers.ts';
import { receiveHandlers } from './handlers/receive-handlers.ts';
import { sendHandlers } from './handlers/send-handlers.ts';

/** What each operation of SQS does, by its name. */
export function sqsHandlers(operations: OperationCatalogue['messages']): Handlers {
  return {
    ...queueHandlers(operations),
    ...labelHandlers(operations),
    ...sendHandlers(operations),
    ...receiveHandlers(operations),
    ...moveHandlers(operations),
  };
}
