import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { System } from './answers.ts';
import { useResource } from './resource.ts';
import { may } from './session.ts';

/** How often it is read, in milliseconds. */
const EVERY = 15_000;

/** What the frame knows of the system, for whatever page it stands around. */
export const system = signal<System | undefined>(undefined);

/** Reads it, for the frame. */
export function useSystem(): System | undefined {
  const { data } = useResource<System>(may('read') ? 'system' : null, EVERY);
  useEffect(() => {
    system.value = data;
  }, [data]);
  return data;
}
