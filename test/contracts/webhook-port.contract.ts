import { WebhookCaller, type CreateWebhook } from './webhook-caller.ts';
import { describeCancellation } from './webhook/cancellation.ts';
import { describeAnswers } from './webhook/answers.ts';
import { describeConnections } from './webhook/connections.ts';
import { describeDecoding } from './webhook/decoding.ts';
import { describeFailures } from './webhook/failures.ts';
import { describeGuard } from './webhook/guard.ts';
import { describeRequests } from './webhook/requests.ts';
import { describeSignatures } from './webhook/signatures.ts';
import { describeDescriptions } from './webhook/descriptions.ts';
import { describeMessages } from './webhook/messages.ts';
import { describeSize } from './webhook/size.ts';
import { describeTimeout } from './webhook/timeout.ts';
import { describeTls } from './webhook/tls.ts';

/** What every WebhookPort promises. */
export function describeWebhookPort(name: string, create: CreateWebhook): void {
  describe(`WebhookPort: ${name}`, () => {
    let caller: WebhookCaller;

    beforeEach(() => {
      caller = new WebhookCaller(create);
    });

    afterEach(() => caller.close());

    const current = (): WebhookCaller => caller;
    describeRequests(current);
    describeSignatures(current);
    describeMessages(current);
    describeDescriptions(current);
    describeAnswers(current);
    describeDecoding(current);
    describeSize(current);
    describeTimeout(current);
    describeCancellation(current);
    describeFailures(current);
    describeTls(current);
    describeConnections(current);
    describeGuard(create);
  });
}
