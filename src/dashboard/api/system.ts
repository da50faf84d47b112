import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { System } from './answers.ts';
import { useResource } from './resource.ts';
import { may } from './session.ts';

/** How often it is read, in milliseconds. */
const EVERY = 15_000;

/** The latest answer that the frame has read, for the pages inside it. */
export const system = signal<System | undefined>(undefined);

/** Reads it, for the frame. */
export function useSystem(): System | undefined {
  const { data } = useResource<System>(may('read') ? 'system' : null, EVERY);
  useEffect(() => {
    system.value = data;
  }, [data]);
  return data;
}
