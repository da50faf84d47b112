import { NodeFetchWebhook } from '../../../src/adapters/outbound/webhook/node-fetch-webhook.ts';
import { describeCallDescriberPort } from '../../contracts/call-describer-port.contract.ts';
import { describeWebhookPort } from '../../contracts/webhook-port.contract.ts';

describeWebhookPort('node-fetch', (settings) => new NodeFetchWebhook(settings));
describeCallDescriberPort('node-fetch', (settings) => new NodeFetchWebhook(settings));
