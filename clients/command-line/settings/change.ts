import { JobgateError } from 'jobgate-client';
import { isObject } from '../../../src/domain/values/json.ts';
import type { Invocation } from '../invocation.ts';
import { differences, type Difference } from './differences.ts';
import type { Fields } from './fields.ts';
import { attempted, Refused, type Refusal } from './refusals.ts';
import type { SettingName } from './setting-set.ts';
import { pathOf, settingOf, withHeaderValues, type Setting } from './setting.ts';
import { isNotFound, storedSetting } from './stored-settings.ts';

/** What stands where a value is hidden: in the answers of the API, and in exported documents. */
const HIDDEN: readonly unknown[] = ['[redacted]', null];

/** A setting that the service does not have, or has otherwise. */
export interface Change {
  readonly setting: Setting;
  readonly isNew: boolean;
  /** Without values of headers and secrets. */
  readonly fields: readonly Difference[];
}

/** The changes that bring the service to some settings, and those settings that it refuses. */
export interface Comparison {
  readonly changes: readonly Change[];
  readonly refusals: readonly Refusal[];
}

/** Has the service check each setting, and compares it with what is stored; nothing is stored. */
export async function compared(
  call: Invocation,
  settings: readonly Setting[],
): Promise<Comparison> {
  const changes: Change[] = [];
  const refusals: Refusal[] = [];
  for (const setting of settings) {
    const outcome = await attempted(call, setting, () => changeOf(call, setting, changes));
    if ('refusal' in outcome) refusals.push(outcome.refusal);
    else if (outcome.done !== undefined) changes.push(outcome.done);
  }
  return { changes, refusals };
}

/** Stores a setting. @returns its secret, if the service made one. @throws JobgateError when the service refuses it. */
export async function store(call: Invocation, setting: Setting): Promise<string | undefined> {
  const answer = await sent(call, setting, setting.spec, false);
  const { secret, callbacks } = isObject(answer) ? answer : {};
  const made = secret ?? (isObject(callbacks) ? callbacks['secret'] : undefined);
  return typeof made === 'string' ? made : undefined;
}

/** Removes a setting, unless it is gone already. @throws JobgateError when the service refuses that. */
export async function remove(call: Invocation, { kind, ...place }: SettingName): Promise<void> {
  try {
    await call.request('DELETE', pathOf(kind, place));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** @param before the changes that are made first. @returns undefined for a setting that the service has. */
async function changeOf(
  call: Invocation,
  setting: Setting,
  before: readonly Change[],
): Promise<Change | undefined> {
  const stored = await storedSetting(call, setting.kind, setting);
  const fields = differences(stored?.spec ?? {}, await previewed(call, setting, before));
  if (fields.length === 0 && stored !== undefined) return undefined;
  requireValues(setting);
  return { setting, isNew: stored === undefined, fields };
}

/** The setting as the service would answer it once it is stored, with null for values of headers. */
async function previewed(
  call: Invocation,
  setting: Setting,
  before: readonly Change[],
): Promise<Fields> {
  const { kind, spec } = setting;
  // Any value will do for one that the file hides: nothing is stored.
  const body = withHeaderValues(kind, spec, (value) => (HIDDEN.includes(value) ? 'value' : value));
  try {
    const answer = await sent(call, setting, body, true);
    return settingOf(kind, setting, answer as Fields)?.spec ?? spec;
  } catch (error) {
    if (!mayBeAllowedBy(before, setting, error)) throw error;
    return withHeaderValues(kind, spec, () => null);
  }
}

/**
 * Whether a change that is made first may allow the options of jobs, the worker without a URL, or the names of limits,
 * that are refused now.
 */
function mayBeAllowedBy(before: readonly Change[], refused: Setting, error: unknown): boolean {
  const { kind, spec, queue = spec['queue'] } = refused;
  const { field = '' } = error instanceof JobgateError ? error : {};
  if (field.startsWith('limits[')) return before.some(({ setting }) => setting.kind === 'limit');
  const { url } = isObject(spec['endpoint']) ? spec['endpoint'] : {};
  const isOfEndpoint = field === 'endpoint.url' && (kind === 'topic' || url === null);
  if (!isOfEndpoint && !/^(job\.)?opts\./.test(field)) return false;
  return before.some(({ setting }) => setting.queue === undefined || setting.queue === queue);
}

function sent(call: Invocation, setting: Setting, spec: Fields, dryRun: boolean): Promise<unknown> {
  const { kind, queue } = setting;
  const query = dryRun ? { dryRun } : {};
  if (kind === 'worker')
    return call.request('POST', '/workers', { body: { queue, ...spec }, query });
  return call.request('PUT', pathOf(kind, setting), { body: spec, query });
}

/** @throws Refused when a value of a header would have to be stored that the file does not have. */
function requireValues({ kind, spec }: Setting): void {
  withHeaderValues(kind, spec, (value, field) => {
    if (!HIDDEN.includes(value)) return value;
    throw new Refused(`it needs a value for ${field}: give it in the file`);
  });
}
