import type { JobControlPort } from '../../../../application/ports/job-control-port.ts';
import {
  ALLOWED_STATES,
  type ActionOutcome,
  type JobAction,
} from '../../../../domain/job-actions.ts';
import type { JobState } from '../../../../domain/job-status.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { Script, ScriptArgument } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { controlScripts, type ControlScripts } from './control-scripts.ts';
import { guardArguments, guardKeys } from './state-guard.ts';

const DONE: ActionOutcome = { kind: 'done' };

/** What the library answers when it does not remove a job. */
const NOT_REMOVED: ReadonlyMap<unknown, ActionOutcome> = new Map([
  [0, { kind: 'needed', by: 'attempt' }],
  [-8, { kind: 'needed', by: 'scheduler' }],
]);

/** What operators do to single jobs, by BullMQ's own scripts, so that its clients find what they expect. */
export class RedisJobControl implements JobControlPort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #scripts: ControlScripts;

  /** @throws Error when the installed BullMQ is not the version that the scripts were tested with. */
  constructor(commands: StoreCommands, keys: QueueKeysCache) {
    this.#commands = commands;
    this.#keys = keys;
    this.#scripts = controlScripts();
  }

  async remove(queue: QueueName, jobId: string): Promise<ActionOutcome> {
    const keys = this.#keys.get(queue);
    const withChildren = '1';
    const answer = await this.#run(
      'remove',
      keys,
      jobId,
      [keys.jobPrefix + jobId, keys.repeat],
      [jobId, withChildren, keys.jobPrefix],
    );
    return NOT_REMOVED.get(answer) ?? outcome(answer);
  }

  async promote(queue: QueueName, jobId: string): Promise<ActionOutcome> {
    const keys = this.#keys.get(queue);
    const answer = await this.#run(
      'promote',
      keys,
      jobId,
      [
        keys.delayed,
        keys.wait,
        keys.paused,
        keys.meta,
        keys.prioritized,
        keys.active,
        keys.priorityCounter,
        keys.events,
        keys.marker,
      ],
      [keys.jobPrefix, jobId],
    );
    return outcome(answer);
  }

  #run(
    action: JobAction,
    keys: QueueKeys,
    jobId: string,
    scriptKeys: readonly string[],
    scriptArguments: readonly ScriptArgument[],
  ): Promise<unknown> {
    const script: Script = this.#scripts[action];
    return this.#commands.scripts.run(
      script,
      [...scriptKeys, ...guardKeys(keys)],
      [...scriptArguments, ...guardArguments(keys, jobId, ALLOWED_STATES[action])],
    );
  }
}

function outcome(answer: unknown): ActionOutcome {
  if (answer === null) return { kind: 'missing' };
  return typeof answer === 'string' ? { kind: 'refused', state: answer as JobState } : DONE;
}
