import { testStore } from '../support/redis/test-store.ts';
import { describeService } from './service/describe-service.ts';

describeService('STORE=redis', async () => ({
  STORE_URI: (await testStore()).uri,
  WORKER_METADATA_KEY: `e2e:${process.pid}:workers`,
}));
