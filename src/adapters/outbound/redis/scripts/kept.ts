import { integer, isOne, list, tuple } from './answer-check.ts';
import { number, scriptsOf, text } from './script.ts';

const { script } = scriptsOf('kept');

export const replaceRecord = script(
  'replace-record',
  ['records', 'folders', 'changes', 'meta', 'registry'],
  { id: text, before: text, record: text, folder: text, most: number, mostFolders: number },
  integer,
);
export const readRecords = script('read-records', ['records'], {}, list<string>);
export const removeRecord = script(
  'remove-record',
  ['records', 'folders', 'changes'],
  { id: text, folder: text },
  isOne,
);

export const recordTokenUses = script('record-token-uses', ['tokens', 'uses']);

const ENDS = { life: number, most: number };
const SESSION = { id: text, digest: text, record: text, openedAt: text, base: text };
export const createSession = script('create-session', ['session', 'held'], { ...SESSION, ...ENDS });
const REPLACED = { record: text, before: text };
export const replaceSession = script('replace-session', ['session'], REPLACED, isOne);
export const removeSession = script('remove-session', ['session', 'held'], { id: text }, isOne);
const ONE_TIME = { content: text, ...ENDS };
export const saveOneTime = script('save-one-time', ['secret', 'secrets'], ONE_TIME);

const QUOTA = { wanted: number, needed: number, max: number, duration: number };
type Lease = readonly [granted: number, left: number, endsIn: number];
export const leaseQuota = script('lease-quota', ['leased'], QUOTA, tuple<Lease>);

const ENTRY = { id: text, entry: text, kept: number };
export const saveAuditEntry = script('save-audit-entry', ['entries', 'ids'], ENTRY);
export const latestAuditEntries = script(
  'latest-audit-entries',
  ['entries', 'ids'],
  { upTo: text, count: number },
  list<string>,
);

const CHANGE = { set: text, most: number, removals: number };
export const changeSettingSet = script('change-setting-set', ['settings'], CHANGE, integer);
