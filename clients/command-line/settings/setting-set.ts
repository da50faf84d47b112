import type { Invocation } from '../invocation.ts';
import { placeOf, type Setting } from './setting.ts';

/** Which setting it is. */
export type SettingName = Pick<Setting, 'kind' | 'queue' | 'id'>;

/** How many settings a page has, and how many a change names. */
const AT_ONCE = 1000;

interface Page {
  readonly total: number;
  readonly settings: readonly SettingName[];
}

/** A set of settings, in which the service remembers what earlier runs of `apply` had in their files. */
export class SettingSet {
  readonly #call: Invocation;
  readonly #path: string;

  constructor(call: Invocation, name: string) {
    this.#call = call;
    this.#path = `/setting-sets/${encodeURIComponent(name)}`;
  }

  /** The settings of the set, of those that the token may see. */
  async read(): Promise<readonly SettingName[]> {
    const settings: SettingName[] = [];
    for (let start = 0; ; start += AT_ONCE) {
      const query = { start, length: AT_ONCE };
      const page = await this.#call.request<Page>('GET', this.#path, { query });
      settings.push(...page.settings);
      // A page may lack settings that the token may not see, but they are in the total.
      if (start + AT_ONCE >= page.total) return settings;
    }
  }

  add(settings: readonly SettingName[]): Promise<void> {
    return this.#change('add', settings);
  }

  remove(settings: readonly SettingName[]): Promise<void> {
    return this.#change('remove', settings);
  }

  async #change(field: 'add' | 'remove', settings: readonly SettingName[]): Promise<void> {
    for (let start = 0; start < settings.length; start += AT_ONCE) {
      const names = settings.slice(start, start + AT_ONCE).map(nameOnly);
      await this.#call.request('PATCH', this.#path, { body: { [field]: names } });
    }
  }
}

/** The settings that are not among the others. */
export function without<Named extends SettingName>(
  settings: readonly Named[],
  others: readonly SettingName[],
): readonly Named[] {
  const known = new Set(others.map(keyOf));
  return settings.filter((setting) => !known.has(keyOf(setting)));
}

/** Which setting it is, without what it says. */
export function nameOnly({ kind, ...place }: SettingName): SettingName {
  return { kind, ...placeOf(place) };
}

function keyOf({ kind, queue, id }: SettingName): string {
  return JSON.stringify([kind, queue, id]);
}
