import { SETTING_KINDS as KINDS } from '../../../src/domain/values/setting-kinds.ts';
import type { Invocation } from '../invocation.ts';
import { compared, remove, store, type Change } from './change.ts';
import { shown, transition } from './difference-lines.ts';
import { nameOf } from './read-settings.ts';
import { attempted, type Refusal } from './refusals.ts';
import { SettingSet, without, type SettingName } from './setting-set.ts';
import type { Setting } from './setting.ts';
import { storedSetting } from './stored-settings.ts';

/** The secret that the service made for a setting. */
export interface MadeSecret {
  readonly of: string;
  readonly secret: string;
}

/** One run of `apply`: it prints what differs and what is refused as it finds it, and then stores the rest. */
export class SettingsRun {
  readonly changes: Change[] = [];
  /** The settings that the service refuses, or that lack a value. */
  readonly refusals: Refusal[] = [];
  /** The settings of the set that the files have no longer, and the service still has; last those that others need. */
  readonly removals: SettingName[] = [];
  readonly secrets: MadeSecret[] = [];
  readonly #call: Invocation;
  readonly #settings: readonly Setting[];
  readonly #set: SettingSet;
  /** The settings of the set before the run, once they were read. */
  #known: readonly SettingName[] | undefined;
  #outdated: readonly SettingName[] = [];

  /** @param set the name of the set that remembers the settings. */
  constructor(call: Invocation, settings: readonly Setting[], set: string) {
    this.#call = call;
    this.#settings = settings;
    this.#set = new SettingSet(call, set);
  }

  /**
   * Finds what differs, and what is refused.
   *
   * @param isPruning whether to look for settings of the set that the files have no longer.
   */
  async compare(isPruning: boolean): Promise<void> {
    await this.#find(this.#settings);
    if (!isPruning) return;
    this.#outdated = without(await this.#before(), this.#settings);
    for (const each of this.#outdated.toSorted(fromLastKind)) {
      if ((await storedSetting(this.#call, each.kind, each)) === undefined) continue;
      this.removals.push(each);
      this.#print(`${nameOf(each)}: removed`);
    }
  }

  /** Stores what differs, and removes what is to be removed. To be called once, after `compare`. */
  async store(): Promise<void> {
    const fresh = without(this.#accepted, await this.#before());
    // Before anything is stored, so that whatever a run makes belongs to the set even if it ends early. A hook or a
    // subscription enters once it is there: the service checks whether the token may use its queues.
    await this.#set.add(fresh.filter((each) => !entersLater(each)));
    const isPolicyChanged = this.changes.some(({ setting }) => setting.kind === 'policy');
    await this.#storeEach([...this.changes]);
    // The jobs of a scheduler have the defaults of the policy of its queue when it is stored.
    if (isPolicyChanged) {
      const schedulers = this.#accepted.filter(({ kind }) => kind === 'scheduler');
      await this.#storeEach(await this.#find(schedulers));
    }
    await this.#set.add(without(fresh, this.refusals).filter(entersLater));
    // Others may make the settings that the service refused here, and pruning must not remove those.
    const refused = without(fresh, this.#accepted);
    await this.#set.remove(refused.filter((each) => !entersLater(each)));
    for (const each of this.removals) await this.#attempt(each, () => remove(this.#call, each));
    await this.#set.remove(without(this.#outdated, this.refusals));
  }

  get #accepted(): readonly Setting[] {
    return without(this.#settings, this.refusals);
  }

  async #before(): Promise<readonly SettingName[]> {
    return (this.#known ??= await this.#set.read());
  }

  async #find(among: readonly Setting[]): Promise<readonly Change[]> {
    const { changes, refusals } = await compared(this.#call, among);
    this.changes.push(...changes);
    for (const each of changes) this.#print(linesOf(each));
    for (const each of refusals) this.#refuse(each);
    return changes;
  }

  async #storeEach(changes: readonly Change[]): Promise<void> {
    for (const { setting } of changes) {
      const secret = await this.#attempt(setting, () => store(this.#call, setting));
      if (secret === undefined) continue;
      this.secrets.push({ of: nameOf(setting), secret });
      this.#print(`Secret of the ${nameOf(setting)}: ${secret}`);
    }
  }

  async #attempt<Done>(setting: SettingName, work: () => Promise<Done>): Promise<Done | undefined> {
    const outcome = await attempted(this.#call, setting, work);
    if ('done' in outcome) return outcome.done;
    this.#refuse(outcome.refusal);
    return undefined;
  }

  #refuse(refusal: Refusal): void {
    this.refusals.push(refusal);
    this.#print(`${nameOf(refusal)}: refused: ${refusal.reason}`);
  }

  #print(text: string): void {
    if (!this.#call.has('json')) this.#call.terminal.print(text);
  }
}

function entersLater({ kind }: SettingName): boolean {
  return kind === 'hook' || kind === 'topic';
}

function fromLastKind(one: SettingName, other: SettingName): number {
  return KINDS.indexOf(other.kind) - KINDS.indexOf(one.kind);
}

function linesOf({ setting, isNew, fields }: Change): string {
  const head = `${nameOf(setting)}: ${isNew ? 'new' : 'changed'}`;
  const lines = fields.map((each) =>
    isNew ? `${each.field}: ${shown(each.to)}` : transition(each),
  );
  return [head, ...lines.map((line) => `  ${line}`)].join('\n');
}
