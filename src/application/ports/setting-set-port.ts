import type { SettingSetChange, SettingSetPage } from '../../domain/policies/setting-set.ts';
import type { Page } from '../../domain/values/page.ts';
import type { Natures } from './nature.ts';

/**
 * Remembers which settings belong to a set, for all replicas. Methods throw DomainError `store-unavailable` when the
 * store cannot be reached.
 */
export interface SettingSetPort {
  /**
   * Changes which settings belong to a set, all or none. A setting that is to be added and to be taken out belongs to
   * it afterwards.
   *
   * @param most how many settings all sets together may have.
   * @returns how many settings the set has now; undefined when all sets would have more than `most`.
   */
  change(set: string, change: SettingSetChange, most: number): Promise<number | undefined>;

  /** The settings of a set, in the byte order of `settingKey`; none for one that nobody made. */
  list(set: string, page: Page): Promise<SettingSetPage>;
}

export const SETTING_SET_NATURES: Natures<SettingSetPort> = { change: 'enlarges', list: 'looks' };
