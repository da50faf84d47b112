import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { System } from '../../typescript/src/api.ts';
import { useResource } from './resource.ts';
import { may } from './session.ts';

/** How often the system is read, in milliseconds. */
const EVERY = 15_000;

/** The latest answer that the frame has read, for the pages in it. */
export const system = signal<System | undefined>(undefined);

/** How long pages wait for the warnings that are shown above them, in milliseconds. */
const PATIENCE = 500;

/** Reads the system for the frame. @returns whether its warnings are known, or the wait for them is over. */
export function useSystem(): boolean {
  const { data, error } = useResource<System>(may('read') ? 'system' : null, EVERY);
  const [isLate, setIsLate] = useState(!may('read'));
  useEffect(() => {
    system.value = data;
  }, [data]);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return data !== undefined || error !== undefined || isLate;
}
