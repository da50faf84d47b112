import { signingSecretsShape } from '../calls/signing.ts';
import { boolean, integer, object, optional, required, string } from '../values/shape.ts';
import { stopShape } from '../values/stop.ts';
import { hookFields, hookIdShape, type Hook } from './hook.ts';

const recordShape = object('HookRecord', {
  ...hookFields,
  id: required(hookIdShape, 'Its id'),
  secrets: optional(signingSecretsShape, 'The secrets that sign its calls'),
  pause: optional(stopShape, 'The caller that paused it'),
  pausedReason: optional(string, 'Why the service paused it'),
  createdAt: required(integer(0), 'When it was made'),
  data: required(boolean, 'Whether who stored it could read the values of jobs'),
});

/** The hook of a record that any program may have written; undefined when it is none. */
export function hookOfRecord(id: string, text: string): Hook | undefined {
  try {
    const record: unknown = JSON.parse(text);
    if (!recordShape.accepts(record) || record.id !== id) return undefined;
    return record.signing === true && record.secrets === undefined ? undefined : (record as Hook);
  } catch {
    return undefined;
  }
}
