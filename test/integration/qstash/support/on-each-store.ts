import { EndpointServer } from '../../../support/endpoint-server.ts';
import { STORES } from '../../sqs/support/stores.ts';
import { QstashService } from './qstash-service.ts';

/** What the tests of a suite have. */
export interface OnStore {
  readonly service: QstashService;
  /** An endpoint that the running test alone has. */
  readonly server: EndpointServer;
}

/** A suite for each store, with a service of its own. @param tests find what they have once they run. */
export function onEachStore(title: string, tests: (on: OnStore) => void): void {
  for (const [store, environment] of Object.entries(STORES)) {
    describe(`${title}: ${store}`, () => {
      let service: QstashService;
      let server: EndpointServer;

      before(async () => {
        service = await QstashService.start(await environment());
      });
      after(() => service.stop());
      beforeEach(async () => {
        server = await EndpointServer.start();
      });
      afterEach(() => server.close());

      tests({
        get service() {
          return service;
        },
        get server() {
          return server;
        },
      });
    });
  }
}
