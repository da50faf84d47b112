import { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { operationCatalogue } from '../../src/application/operation-catalogue.ts';
import type { Operation } from '../../src/application/operations/operation.ts';
import { Operations } from '../../src/application/operations/operations.ts';
import type { Way } from '../../src/application/operations/way.ts';
import { Caller } from '../../src/domain/access/caller.ts';
import { rightOf } from '../../src/domain/access/required-access.ts';
import type { Right } from '../../src/domain/access/right.ts';
import { RIGHTS } from '../../src/domain/values/rights.ts';
import { queueName } from '../../src/domain/queues/queue-name.ts';
import { DomainError } from '../../src/domain/errors.ts';
import { SystemClock } from '../../src/infrastructure/system-clock.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { HttpService } from './http/support/http-service.ts';

type AnyOperation = Operation<unknown, unknown>;

/** A call on one line. */
interface Line {
  readonly operation: string;
  readonly input: unknown;
}

describe('Operations', () => {
  let service: HttpService;
  let operations: Operations;
  let byId: ReadonlyMap<string, AnyOperation>;

  before(async () => {
    service = await new HttpService().start();
    const { audit } = service.application;
    operations = new Operations({ audit, clock: new SystemClock(), logger: silentLogger });
    const areas = Object.values(
      operationCatalogue(service.application, {
        queuePrefix: 'bull',
        queueName: queueName({ min: 3, max: 100 }),
        maxReturnValue: Infinity,
      }),
    );
    const all = areas.flatMap((area) => Object.values(area) as AnyOperation[]);
    byId = new Map(all.map((each) => [each.id, each]));
  });

  after(() => service.stop());

  /** A way in that is nothing but lines of JSON. */
  async function* answers(lines: Readable, caller: Caller): AsyncGenerator {
    for await (const text of createInterface({ input: lines })) {
      const { operation, input } = JSON.parse(text) as Line;
      const way = wayOf(caller);
      try {
        yield await operations.perform(byId.get(operation)!, way, input);
      } catch (error) {
        yield error instanceof DomainError ? { error: error.code } : { error: 'unexpected' };
      }
    }
  }

  async function answersTo(lines: readonly Line[], caller: Caller): Promise<unknown[]> {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`);
    const found: unknown[] = [];
    for await (const answer of answers(Readable.from(text), caller)) found.push(answer);
    return found;
  }

  it('serve another way in, which decides nothing itself', async () => {
    const queue = 'by-line';
    const add = {
      operation: 'addJobs',
      input: { queue, order: [{ name: 'job', data: { a: 1 } }] },
    };
    const pause = { operation: 'pauseQueue', input: { queue, order: {} } };
    const read = { operation: 'readQueue', input: { queue } };
    const job = { operation: 'readJob', input: { queue, jobId: '1' } };
    const full = callerWith(['add', 'operate', 'read', 'data']);
    const [, paused, overview, seen] = await answersTo([add, pause, read, job], full);
    expect(paused).to.equal(undefined);
    expect(overview).to.deep.include({ name: queue, paused: true });
    expect(seen).to.deep.include({ id: '1', data: { a: 1 } });

    const bounded = callerWith(['read', 'operate'], ['other-*']);
    expect(await answersTo([pause, read, add], bounded)).to.deep.equal([
      { error: 'forbidden' },
      { error: 'forbidden' },
      { error: 'forbidden' },
    ]);
    const [hidden] = await answersTo([job], callerWith(['read']));
    expect(hidden).to.deep.include({ id: '1' }).and.not.to.have.property('data');
  });

  it('leave the same entry in the audit, whichever way a call came', async () => {
    const queue = 'audited';
    await answersTo(
      [{ operation: 'holdQueue', input: { queue, order: { for: 60_000 } } }],
      callerWith(['operate']),
    );
    await service.request('POST', `/queues/${queue}/hold`, { body: { for: 60_000 } });
    await service.request('POST', '/mcp', {
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'control_queue', arguments: { queue, action: 'hold', for: 60_000 } },
      },
    });
    const { text } = await service.request('GET', `/audit?queue=${queue}`);
    const { entries } = JSON.parse(text) as { entries: readonly Record<string, unknown>[] };
    const [first, ...others] = entries.map(({ action, target, outcome, status, detail }) => {
      const { until, ...rest } = detail as Record<string, unknown>;
      return { action, target, outcome, status, detail: rest, held: typeof until };
    });
    expect(entries).to.have.lengthOf(3);
    expect(first).to.deep.include({ action: 'queue.hold', outcome: 'ok', status: 200 });
    for (const other of others) expect(other).to.deep.equal(first);
  });

  for (const right of RIGHTS.filter((each) => each !== 'admin')) {
    // holds: rights.table
    it(`refuse all of them but those of the right to a caller with ${right}`, async () => {
      const caller = callerWith([right]);
      for (const operation of byId.values()) {
        const needed = rightOf(operation.access);
        if (needed === undefined || [needed, operation.orRight].includes(right)) continue;
        const refused = await refusal(operation, caller);
        expect(refused, operation.id).to.equal(`This token lacks the right ${needed}`);
      }
    });
  }

  // holds: rights.queues
  it('refuse a queue that the caller may not use', async () => {
    const caller = callerWith(['admin'], ['mine-*']);
    for (const operation of byId.values()) {
      if (rightOf(operation.access) === undefined || operation.needsAllQueues === true) continue;
      const refused = await refusal(operation, caller);
      expect(refused, operation.id).to.equal('This token may not use this queue');
    }
  });

  /** Why a call on a queue is refused, from what is known before anything of the input but its names is read. */
  async function refusal(operation: AnyOperation, caller: Caller): Promise<string | undefined> {
    try {
      await operations.admit(operation, wayOf(caller), { queue: 'theirs' }, () => false);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
});

function callerWith(rights: readonly Right[], queues: readonly string[] | null = null): Caller {
  return new Caller({ id: 'line', name: 'line', keySpace: 'line', expires: null, rights, queues });
}

function wayOf(caller: Caller): Way {
  return {
    caller,
    address: '127.0.0.1',
    requestId: 'line',
    trace: undefined,
    cost: undefined,
    identity: undefined,
    ending: () => new AbortController().signal,
    gone: () => new AbortController().signal,
    count: () => undefined,
    audited: () => undefined,
  };
}
