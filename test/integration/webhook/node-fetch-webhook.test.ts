import { NodeFetchWebhook } from '../../../src/adapters/outbound/webhook/node-fetch-webhook.ts';
import { describeWebhookPort } from '../../contracts/webhook-port.contract.ts';

describeWebhookPort('node-fetch', (settings) => new NodeFetchWebhook(settings));
