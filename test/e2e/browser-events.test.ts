import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Browser } from '../support/browser/browser.ts';
import type { Page } from '../support/browser/page.ts';
import { TicketSite } from '../support/browser/ticket-site.ts';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { testStore } from '../support/redis/test-store.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';

const BATCHES = 30;
const JOBS_PER_BATCH = 100;

/** How many bytes a connection carries before it is lost: those of about two hundred events. */
const CUT_AFTER = 25_000;

type Kind = 'EventSource' | 'WebSocket';

interface Told {
  /** The ids of jobs, and the names of other events. */
  readonly told: readonly string[];
  readonly connections: number;
}

/** Runs in a page, which reconnects with a new ticket whenever a connection is lost, until it has received enough. */
function follow(kind: Kind, events: string, count: number): Promise<Told> {
  return new Promise((resolve, reject) => {
    const told: string[] = [];
    let connections = 0;
    let lastEventId = '0-0';
    const tell = (id: string, name: string, data: { jobId: string }): void => {
      lastEventId = id;
      told.push(name === 'added' ? data.jobId : name);
    };
    const isOver = (): boolean => told.length >= count;
    const begin = async (): Promise<void> => {
      const ticket = await (await fetch('/ticket')).text();
      const url = `${events}?ticket=${ticket}&events=added&lastEventId=${lastEventId}`;
      connections += 1;
      if (kind === 'EventSource') {
        const source = new EventSource(url);
        const end = (): void => {
          source.close();
          comeBack();
        };
        for (const name of ['added', 'gap']) {
          source.addEventListener(name, (event) => {
            const message = event as MessageEvent;
            tell(
              message.lastEventId,
              name,
              JSON.parse(message.data as string) as { jobId: string },
            );
            if (isOver()) end();
          });
        }
        source.onerror = end;
      } else {
        const socket = new WebSocket(url.replace('http', 'ws'));
        socket.onmessage = ({ data: text }: MessageEvent) => {
          const { id, event, data } = JSON.parse(text as string) as {
            id: string;
            event?: string;
            data: { jobId: string };
          };
          // The first message has only the position.
          if (event === undefined) lastEventId = id;
          else tell(id, event, data);
          if (isOver()) socket.close();
        };
        socket.onclose = () => comeBack();
      }
    };
    const comeBack = (): void => {
      if (isOver()) resolve({ told, connections });
      else begin().catch(reject);
    };
    comeBack();
  });
}

describe('Events in a browser', function () {
  // A browser is slow next to other browsers.
  this.timeout(60_000);
  const services = new StartedServices();
  let service: ServiceProcess;
  let site: TicketSite | undefined;
  let browser: Browser | undefined;
  let page: Page;
  let queue: string;

  before(async () => {
    service = await services.start({ STORE_URI: (await testStore()).uri });
    browser = await Browser.start();
    site = await TicketSite.start(async () => {
      const { body } = await service.call('POST', '/tickets', { queues: [queue] });
      return (body as { ticket: string }).ticket;
    });
  });

  beforeEach(async () => {
    queue = randomUUID();
    page = await browser!.open(site!.url);
  });

  afterEach(() => page.close());

  after(async () => {
    await browser?.stop();
    await site?.stop();
    await services.kill();
  });

  for (const kind of ['EventSource', 'WebSocket'] as const) {
    // holds: tickets.pages, tickets.issue, events.resume, events.web-socket-origin
    it(`arrive once each at the ${kind} of a page of another site that loses its connections`, async () => {
      const proxy = await CuttingProxy.start(Number(new URL(service.url).port));
      const events = `http://127.0.0.1:${proxy.port}/queues/${queue}/events`;
      proxy.cutEachAfter({ received: CUT_AFTER });
      const following = page.run(follow, kind, events, BATCHES * JOBS_PER_BATCH);
      const jobs = Array.from({ length: JOBS_PER_BATCH }, () => ({ name: 'work', data: null }));
      const added: string[] = [];
      for (let batch = 0; batch < BATCHES; batch += 1) {
        const { body } = await service.call('POST', `/queues/${queue}/jobs`, jobs);
        added.push(...(body as { id: string }[]).map(({ id }) => id));
      }
      const { told, connections } = await following;
      await proxy.close();
      expect(told).to.deep.equal(added);
      expect(connections).to.be.greaterThan(3);
    });
  }

  // holds: tickets.pages, tickets.once, events.web-socket-origin
  it('reach no page of another site without a ticket, nor with one that was used', async () => {
    const outcomes = (url: string) =>
      page.run(async (events) => {
        const source = new EventSource(events);
        const state = await new Promise((resolve) => {
          source.onopen = () => {
            resolve('open');
          };
          source.onerror = () => {
            resolve(source.readyState);
          };
        });
        source.close();
        const socket = new WebSocket(events.replace('http', 'ws'));
        const opened = await new Promise((resolve) => {
          socket.onopen = () => {
            resolve(true);
          };
          socket.onclose = () => {
            resolve(false);
          };
        });
        socket.close();
        const answer = await fetch(events).then(
          async (response) => `${response.status} ${await response.text()}`,
          (error: unknown) => (error as Error).name,
        );
        return { state, opened, answer };
      }, url);
    const events = `${service.url}/queues/${queue}/events`;
    const closed = 2;
    expect(await outcomes(events)).to.deep.equal({
      state: closed,
      opened: false,
      answer: 'TypeError',
    });
    expect(await outcomes(`${events}?ticket=used`)).to.deep.equal({
      state: closed,
      opened: false,
      answer: '401 The ticket is not valid',
    });
  });
});
