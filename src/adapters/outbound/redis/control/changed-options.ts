import type { ChangedOptions } from '../../../../domain/jobs/job-retry.ts';
import { isObject, parsedJson } from '../../../../domain/values/json.ts';
import { storedOptions } from '../layout/job-record.ts';

/** Options as they are stored, with some of them changed and all others as they were. */
export function changedOptions(stored: string, changes: ChangedOptions): string {
  const options = parsedJson(stored);
  return storedOptions({ ...(isObject(options) && options), ...changes });
}
