import type { ChangedOptions } from '../../../../domain/jobs/job-retry.ts';
import { isObject } from '../../../../domain/values/json.ts';
import { storedOptions } from '../layout/job-record.ts';

/** Options as they are stored, with some of them changed and all others as they were. */
export function changedOptions(stored: string, changes: ChangedOptions): string {
  return storedOptions({ ...parsed(stored), ...changes });
}

function parsed(text: string): object {
  try {
    const options: unknown = JSON.parse(text);
    return isObject(options) ? options : {};
  } catch {
    return {};
  }
}
