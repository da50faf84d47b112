/**
 * The kinds of settings that clients keep in files (reach contract, section 19), in the order in which they are stored:
 * policies name limits, and others depend on these.
 */
export const SETTING_KINDS = [
  'limit',
  'policy',
  'worker',
  'scheduler',
  'group',
  'hook',
  'topic',
] as const;

export type SettingKind = (typeof SETTING_KINDS)[number];
