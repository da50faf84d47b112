import { tooMany } from '../../domain/errors.ts';
import {
  MOST_SETTINGS_IN_SETS,
  settingSetChangeShape,
  settingSetName,
  type SettingSetChange,
  type SettingSetPage,
} from '../../domain/policies/setting-set.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { checkPage, type Page } from '../../domain/values/page.ts';
import type { SettingSetPort } from '../ports/setting-set-port.ts';

/**
 * Sets of settings, by which clients that keep settings in files know which of them the files had before: `jobgate
 * apply --prune` (reach contract, section 19). A set only names settings: to add one to it, or to take it out, changes
 * nothing else.
 */
export class SettingSets {
  readonly #store: SettingSetPort;

  constructor(store: SettingSetPort) {
    this.#store = store;
  }

  /**
   * @returns how many settings the set has now.
   * @throws DomainError `invalid-request` naming the field, `too-many-settings`.
   */
  async change(set: string, change: SettingSetChange): Promise<number> {
    checkShape(settingSetName, set, 'set');
    checkShape(settingSetChangeShape, change, '');
    const total = await this.#store.change(set, change, MOST_SETTINGS_IN_SETS);
    if (total === undefined) throw tooMany('settings', MOST_SETTINGS_IN_SETS);
    return total;
  }

  /** @throws DomainError `invalid-request` naming the field. */
  async list(set: string, page: Page): Promise<SettingSetPage> {
    checkShape(settingSetName, set, 'set');
    checkPage(page);
    return this.#store.list(set, page);
  }
}
