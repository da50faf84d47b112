import { covers } from '../../domain/access/covers.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { rotatedSecrets, type SigningSecrets } from '../../domain/calls/signing.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { HookDelivery } from '../../domain/hooks/delivery.ts';
import {
  checkedHook,
  hookIdShape,
  isAboutJobs,
  type Hook,
  type HookInput,
  type HookSettings,
} from '../../domain/hooks/hook.ts';
import { shownHook, type ShownHook } from '../../domain/hooks/shown-hook.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { latestStop, stopBy } from '../../domain/values/stop.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { KeptHooks } from '../kept/hooks.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { SecretPort } from '../ports/secret-port.ts';
import { onceChanged } from '../running/once-changed.ts';
import type { DeliveryQueues } from '../deliveries/delivery-queues.ts';
import type { StoredHooksInForce } from './hooks-in-force.ts';

/** The messages of hooks, as far as clients may look at them and send them again. */
export type HookDeliveries = Pick<DeliveryQueues, 'list' | 'unsent' | 'resend' | 'remove'>;

export interface HooksDependencies extends Pick<CommonPorts, 'secrets' | 'clock'> {
  readonly store: KeptHooks;
  readonly inForce: Pick<StoredHooksInForce, 'known' | 'all' | 'changed'>;
  readonly deliveries: HookDeliveries;
}

/** A hook that was stored. */
export interface SavedHook {
  readonly hook: ShownHook;
  /** The new secret, which is returned only this once; absent when there is none. */
  readonly secret?: string;
}

/** The operations of clients on hooks (reach contract, section 17). A hook beyond the queues of a caller is not found. */
export class Hooks {
  readonly #store: KeptHooks;
  readonly #inForce: HooksDependencies['inForce'];
  readonly #deliveries: HookDeliveries;
  readonly #secrets: SecretPort;
  readonly #clock: ClockPort;

  constructor(dependencies: HooksDependencies) {
    this.#store = dependencies.store;
    this.#inForce = dependencies.inForce;
    this.#deliveries = dependencies.deliveries;
    this.#secrets = dependencies.secrets;
    this.#clock = dependencies.clock;
  }

  /**
   * Stores a hook in place of any other of its id, whose signing secrets it keeps.
   *
   * @throws DomainError `invalid-request` naming the field, `forbidden`, `too-many-hooks`.
   */
  async put(id: string, input: HookInput, caller: Caller): Promise<SavedHook> {
    const replacing = this.#replacing(id, input, caller);
    const fresh = this.#secrets.draw();
    const stored = await this.#store.put(id, (before) => {
      const readable = before?.unreadable === undefined ? before : undefined;
      const hook = replacing(before, readable?.secrets ?? { current: fresh, former: [] });
      // Messages that still wait would be sent to the new URL.
      if (before !== undefined) requireData(caller, before);
      return hook;
    });
    if (stored === undefined) throw notFound('hook');
    await this.#inForce.changed();
    const isFresh = stored.secrets?.current === fresh;
    return { hook: shownHook(stored), ...(isFresh && { secret: fresh }) };
  }

  /** The hook as `read` would answer it after `put`; nothing is stored. @throws DomainError like `put`. */
  async preview(id: string, input: HookInput, caller: Caller): Promise<ShownHook> {
    const replacing = this.#replacing(id, input, caller);
    return shownHook(replacing(await this.#store.find(id)));
  }

  /** Those in force that the caller may see, in the order of their ids. */
  async list(caller: Caller): Promise<readonly ShownHook[]> {
    await this.#inForce.known();
    return this.#inForce
      .all()
      .filter((hook) => reaches(caller, hook))
      .map(shownHook);
  }

  /** @throws DomainError `hook-not-found`. */
  async read(id: string, caller: Caller): Promise<ShownHook> {
    return shownHook(await this.find(id, caller));
  }

  /** The hook with its secrets. @throws DomainError `hook-not-found`. */
  async find(id: string, caller: Caller): Promise<Hook> {
    const hook = await this.#store.find(id);
    if (hook === undefined || !reaches(caller, hook)) throw notFound('hook');
    return hook;
  }

  /** Whether the caller may use all queues of a hook; undefined when no hook has that id. */
  async isReached(id: string, caller: Caller): Promise<boolean | undefined> {
    const hook = await this.#store.find(id);
    return hook && reaches(caller, hook);
  }

  /** Removes a hook with its messages. @throws DomainError `hook-not-found`. */
  async remove(id: string, caller: Caller): Promise<void> {
    await this.find(id, caller);
    if (!(await this.#store.remove(id))) throw notFound('hook');
    await this.#inForce.changed();
    await onceChanged(this.#deliveries.remove(id));
  }

  /**
   * Adds a new secret that signs the calls of a hook; the previous one still signs for a day.
   *
   * @returns the secret, which is returned only this once.
   * @throws DomainError `hook-not-found`, `forbidden`, `hook-unsigned`, `hook-unreadable`, `too-many-secrets`.
   */
  async rotateSecret(id: string, caller: Caller): Promise<string> {
    const fresh = this.#secrets.draw();
    const now = this.#clock.now();
    const changed = await this.#store.change(id, (hook) => {
      if (!reaches(caller, hook)) throw notFound('hook');
      requireData(caller, hook);
      requireReadableHook(hook);
      if (hook.secrets === undefined) {
        throw new DomainError('hook-unsigned', 'The calls of the hook are not signed');
      }
      return { ...hook, secrets: rotatedSecrets(hook.secrets, fresh, now, 'hook') };
    });
    if (changed === undefined) throw notFound('hook');
    await this.#inForce.changed();
    return fresh;
  }

  /** The newest first. @throws DomainError `hook-not-found`. */
  async deliveries(id: string, length: number, caller: Caller): Promise<readonly HookDelivery[]> {
    await this.find(id, caller);
    return this.#deliveries.list(id, length);
  }

  /**
   * Sends a message again, with its id and all its attempts before it.
   *
   * @throws DomainError `hook-not-found`, `delivery-not-found`.
   */
  async resend(id: string, delivery: string, caller: Caller): Promise<void> {
    await this.find(id, caller);
    if (await this.#deliveries.resend(id, delivery)) return;
    throw notFound('delivery');
  }

  /**
   * The hook that a client describes, in place of another. One that is paused again keeps its first pause, unless the
   * reason is another.
   *
   * @throws DomainError `invalid-request` naming the field, `forbidden`; so does the function for the other hook.
   */
  #replacing(
    id: string,
    input: HookInput,
    caller: Caller,
  ): (before: Hook | undefined, secrets?: SigningSecrets) => Hook {
    const settings = checkedFor(caller, id, input);
    const now = this.#clock.now();
    return (before, secrets) => {
      if (before !== undefined) requireReach(caller, before);
      const pause = settings.paused && latestStop(before?.pause, stopBy(caller, input, now));
      return {
        ...settings,
        id,
        ...(settings.signing && secrets && { secrets }),
        ...(pause && { pause }),
        createdAt: before?.createdAt ?? now,
        data: caller.may('data'),
      };
    };
  }
}

/** @throws DomainError `invalid-request` naming the field, `forbidden`. */
function checkedFor(caller: Caller, id: string, input: HookInput): HookSettings {
  checkShape(hookIdShape, id, 'id');
  const settings = checkedHook(input);
  requireReach(caller, settings);
  requireData(caller, settings);
  return settings;
}

/** @throws DomainError `hook-unreadable` for a hook whose secrets are needed and cannot be read. */
export function requireReadableHook({ unreadable }: Hook): void {
  if (unreadable !== undefined) throw new DomainError('hook-unreadable', unreadable);
}

/** Whether the caller may use all queues of a hook, as far as their patterns can tell. */
function reaches(caller: Caller, { queues }: Pick<Hook, 'queues'>): boolean {
  return covers(caller, { rights: [], queues: queues ?? null });
}

/** @throws DomainError `forbidden`. */
function requireReach(caller: Caller, hook: Pick<Hook, 'queues'>): void {
  if (hook.queues === undefined) caller.requireAllQueues();
  if (reaches(caller, hook)) return;
  throw new DomainError('forbidden', 'This token may not use all queues of the hook');
}

/** @throws MissingRightError for a hook of ends of jobs, whose messages have their values. */
function requireData(caller: Caller, hook: Pick<Hook, 'events' | 'when'>): void {
  if (isAboutJobs(hook)) caller.require('data');
}
