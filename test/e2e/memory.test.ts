import { describeService, PARTS_OF_CALLS } from './service/describe-service.ts';

describeService('STORE=memory', () => Promise.resolve({ STORE: 'memory' }));

describeService(
  'STORE=memory and WEBHOOK_CLIENT=node-fetch',
  () => Promise.resolve({ STORE: 'memory', WEBHOOK_CLIENT: 'node-fetch' }),
  undefined,
  PARTS_OF_CALLS,
);
