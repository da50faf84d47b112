import { counted } from '../errors.ts';
import type { JobAddress } from '../flows/flow.ts';
import { listOf, nullable, object, required, string, time, type Shaped } from '../values/shape.ts';
import { awaitedKeys, latestEnd, type Wait } from './suspension.ts';

/** What a suspended job still awaits. */
export interface Awaited {
  readonly waits: readonly Wait[];
  /** The added jobs that have not ended. */
  readonly jobs: readonly JobAddress[];
}

export const suspendedShape = object('Suspended', {
  steps: required(listOf(string), 'The names of the steps that the job awaits'),
  until: required(
    nullable(time),
    'When it goes on at the latest, in milliseconds since 1970; null when that is not known',
  ),
  signals: required(listOf(string), 'The keys of the signals that it awaits'),
  children: required(
    listOf(
      object('AwaitedJob', {
        queue: required(string, 'Its queue'),
        id: required(string, 'Its id'),
      }),
    ),
    'The added jobs that have not ended',
  ),
});

export type Suspended = Shaped<typeof suspendedShape>;

/** A suspended job as it is shown. */
export function suspendedJson({ waits, jobs }: Awaited): Suspended {
  return {
    steps: waits.map(({ name }) => name),
    until: latestEnd(waits) ?? null,
    signals: awaitedKeys(waits),
    children: jobs,
  };
}

/** What a suspended job waits for, in words. */
export function awaitedInWords({ waits, jobs }: Awaited): string {
  const keys = awaitedKeys(waits);
  if (keys.length > 0)
    return `waits for the signal${keys.length > 1 ? 's' : ''} ${keys.join(', ')}`;
  if (jobs.length > 0) return `waits for ${counted(jobs.length, 'job')} that it added`;
  return `sleeps in the step ${waits[0]?.name ?? ''}`;
}
