import type { Caller } from '../../domain/access/caller.ts';
import { hookEndpoint } from '../../domain/hooks/hook-endpoint.ts';
import { queueOfHook } from '../../domain/queues/own-queue.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import { testCall, type TestCallReport } from '../calls/test-call.ts';
import { requireReadableHook, type Hooks } from './hooks.ts';

export interface HookTestDependencies extends Pick<
  CommonPorts,
  'webhook' | 'tokens' | 'formats' | 'clock'
> {
  readonly hooks: Pick<Hooks, 'find'>;
}

/** Sends a message that says nothing, to check whether a receiver takes it. */
export class HookTest {
  readonly #dependencies: HookTestDependencies;

  constructor(dependencies: HookTestDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Sends one message at once, also of a paused hook. It is no delivery.
   *
   * @throws DomainError `hook-not-found`, `hook-unreadable`.
   */
  async run(id: string, caller: Caller): Promise<TestCallReport> {
    const { hooks, tokens, formats, clock } = this.#dependencies;
    const hook = await hooks.find(id, caller);
    requireReadableHook(hook);
    const at = clock.now();
    const message = { kind: 'test', type: 'hook.test', at } as const;
    const identity = { queue: queueOfHook(id), id: tokens.draw(), timestamp: at };
    const sent = { identity, ...formats.written(message, hook, identity.id) };
    const call = { endpoint: hookEndpoint(hook), message: sent };
    return testCall(call, hook.headers, this.#dependencies);
  }
}
