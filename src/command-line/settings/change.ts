import { JobgateError } from 'jobgate-client';
import { Failed } from '../failed.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Invocation } from '../invocation.ts';
import { inShort } from '../service/refusal.ts';
import { differences, type Difference } from './differences.ts';
import { isObject, type Fields } from './fields.ts';
import { nameOf } from './read-settings.ts';
import type { SettingName } from './setting-set.ts';
import { settingOf, withHeaderValues, type Setting } from './setting.ts';
import { isNotFound, pathOf, storedSetting } from './stored-settings.ts';

/** What stands where a value is hidden: in the answers of the API, and in exported documents. */
const HIDDEN: readonly unknown[] = ['[redacted]', null];

/** A setting that the service does not have, or has otherwise. */
export interface Change {
  readonly setting: Setting;
  readonly isNew: boolean;
  /** Without values of headers and secrets. */
  readonly fields: readonly Difference[];
}

/**
 * What has to change so that the service has these settings.
 *
 * @throws UsageError when a value of a header would have to be stored that the files do not have.
 * @throws Failed when the service refuses a setting.
 */
export async function changesFor(
  call: Invocation,
  settings: readonly Setting[],
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const setting of settings) {
    const stored = await storedSetting(call, setting.kind, setting);
    const wanted = await refusedAs(call, setting, () => normalized(call, setting));
    const fields = differences(stored?.spec ?? {}, wanted);
    const change = { setting, isNew: stored === undefined, fields };
    if (fields.length === 0 && stored !== undefined) continue;
    requireValues(setting);
    changes.push(change);
  }
  return changes;
}

/** Stores a setting. @returns its secret, if the service made one. @throws Failed when the service refuses it. */
export async function store(call: Invocation, setting: Setting): Promise<string | undefined> {
  const { kind, queue, spec } = setting;
  const answer = await refusedAs(call, setting, () =>
    kind === 'worker'
      ? call.request<unknown>('POST', '/workers', { body: { queue, ...spec } })
      : call.request<unknown>('PUT', pathOf(kind, setting), { body: spec }),
  );
  const secret = isObject(answer) ? answer['secret'] : undefined;
  return typeof secret === 'string' ? secret : undefined;
}

/** Removes a setting, unless it is gone already. @throws Failed when the service refuses that. */
export async function remove(call: Invocation, { kind, ...place }: SettingName): Promise<void> {
  await refusedAs(call, { kind, ...place }, async () => {
    try {
      await call.request('DELETE', pathOf(kind, place));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  });
}

/** The body as the service would answer it once it is stored, with null for values of headers. */
async function normalized(call: Invocation, setting: Setting): Promise<Fields> {
  const { kind } = setting;
  const spec = withHeaderValues(kind, setting.spec, () => null);
  switch (kind) {
    case 'policy': {
      const { callbacks } = spec;
      if (!isObject(callbacks) || callbacks['secret'] === undefined) return spec;
      // Fields that are undefined are absent.
      return { ...spec, callbacks: { ...callbacks, secret: undefined, signed: true } };
    }
    case 'worker': {
      const { endpoint, opts } = spec;
      const hasOptions = isObject(opts) && Object.keys(opts).length > 0;
      const { method } = isObject(endpoint) ? endpoint : {};
      return {
        endpoint:
          isObject(endpoint) && typeof method === 'string'
            ? { ...endpoint, method: method.toLowerCase() }
            : endpoint,
        ...(hasOptions && { opts }),
      };
    }
    case 'scheduler':
      return completedScheduler(call, setting, spec);
    case 'group':
      return spec;
    case 'hook': {
      const { headers, ...others } = spec;
      const completed = await call.without.completedHook(others);
      return { ...completed, ...(headers !== undefined && { headers }) };
    }
  }
}

/** A body that is refused stays as it is: a policy that is not stored yet may allow it. */
async function completedScheduler(
  call: Invocation,
  setting: Setting,
  spec: Fields,
): Promise<Fields> {
  // Any values of headers will do: nothing is stored.
  const body = withHeaderValues('scheduler', spec, () => 'value');
  const options = { body, query: { dryRun: true } };
  try {
    const answer = await call.request<Fields>('PUT', pathOf('scheduler', setting), options);
    return settingOf('scheduler', setting, answer)?.spec ?? spec;
  } catch (error) {
    if (error instanceof JobgateError && error.status === 400) return spec;
    throw error;
  }
}

function requireValues({ spec, ...setting }: Setting): void {
  withHeaderValues(setting.kind, spec, (value, field) => {
    if (!HIDDEN.includes(value)) return value;
    throw new UsageError(`The ${nameOf(setting)} needs a value for ${field}: give it in the file`);
  });
}

async function refusedAs<Answer>(
  call: Invocation,
  setting: SettingName,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof JobgateError) || error.status === 0) throw error;
    throw new Failed(`The ${nameOf(setting)} is refused: ${inShort(error, call)}`);
  }
}
