import { freshSchema } from '../support/postgres/test-postgres.ts';
import { describeService, PARTS_OF_STORES } from './service/describe-service.ts';

describeService(
  'STORE=postgres',
  async () => {
    const { uri, schema } = await freshSchema();
    return { STORE_URI: uri, STORE_SCHEMA: schema };
  },
  undefined,
  PARTS_OF_STORES,
);
