import { expect } from 'chai';
import { outcomesOf } from '../../../src/application/messages/outcome.ts';
import { MessageSends } from '../../../src/application/messages/message-sends.ts';
import { queueFull, storedOrNot, storeUnavailable } from '../../../src/domain/errors.ts';
import type { AddedJob } from '../../../src/domain/jobs/job.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from '../../support/rejection.ts';

const GONE = new Error('gone');
const MESSAGE = { body: 'a', delay: 0 };

describe('a batch of messages while the store fails', () => {
  const fail = (error: Error) => () => Promise.reject(error);
  const done = (): Promise<void> => Promise.resolve();

  /** Sends three messages, of which the queue refuses to take all at once, and then the store those after the first `sent`. */
  async function send(sent: number): Promise<readonly string[]> {
    let alone = 0;
    const jobs = {
      add: (_: unknown, inputs: readonly unknown[]) => {
        if (inputs.length > 1) return Promise.reject(queueFull(2));
        alone += 1;
        const added = [{ id: String(alone) } as AddedJob];
        return alone > sent ? Promise.reject(storeUnavailable(GONE)) : Promise.resolve(added);
      },
    };
    const sends = new MessageSends(jobs, { draw: () => 'id' });
    const outcomes = await sends.send(queueNamed('mail'), 'me', [MESSAGE, MESSAGE, MESSAGE]);
    return outcomes.map(({ kind }) => kind);
  }

  // holds: store.not-stored
  it('is refused as a whole before one is sent, and the rest of it afterwards', async () => {
    expect(await send(1)).to.deep.equal(['sent', 'refused', 'refused']);
    expect(await send(3)).to.deep.equal(['sent', 'sent', 'sent']);
    expect(await rejection(send(0))).to.include({ code: 'store-unavailable', mayBeStored: false });
  });

  // holds: store.not-stored
  it('fails as a whole unless one of them is deleted or changed', async () => {
    const [refused, unknown] = [storeUnavailable(GONE), storedOrNot(GONE)];
    expect(await rejection(outcomesOf([fail(refused), fail(unknown)]))).to.equal(unknown);
    expect(await outcomesOf([fail(refused), done])).to.deep.equal([
      { kind: 'refused', error: refused },
      { kind: 'done' },
    ]);
    const full = queueFull(1);
    expect(await rejection(outcomesOf([fail(full), fail(refused)]))).to.equal(refused);
    expect(await rejection(outcomesOf([done, fail(GONE)]))).to.equal(GONE);
  });
});
