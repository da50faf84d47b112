import { NodeFetchWebhook } from '../../../src/adapters/outbound/webhook/node-fetch-webhook.ts';
import { describeWebhookPort } from '../../contracts/webhook-port.contract.ts';

describeWebhookPort('node-fetch', {
  create: (settings) => new NodeFetchWebhook(settings),
  passesOverContinue: true,
});
