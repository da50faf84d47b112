import { expect } from 'chai';
import { AttemptObservers } from '../../../src/application/attempts/attempt-observers.ts';
import type { AttemptEvent } from '../../../src/application/ports/attempt-observer.ts';
import { CALLBACK_QUEUE, MOVE_QUEUE, queueOfHook } from '../../../src/domain/queues/own-queue.ts';
import { queueNamed } from '../../support/queue-named.ts';

describe('The observers of attempts', () => {
  // holds: hooks.own-queues
  it('observe nothing of the queues of the service itself', () => {
    const observed: AttemptEvent[] = [];
    const observer = { observe: (event: AttemptEvent) => void observed.push(event) };
    const observers = new AttemptObservers(observer, observer);
    for (const queue of [CALLBACK_QUEUE, MOVE_QUEUE, queueOfHook('alerts')]) {
      observers.observe({ kind: 'added', queue, jobs: 1 });
    }
    const event = { kind: 'added', queue: queueNamed('mail'), jobs: 1 } as const;
    observers.observe(event);
    expect(observed).to.deep.equal([event, event]);
  });
});
