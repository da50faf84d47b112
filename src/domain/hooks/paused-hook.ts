import type { Hook } from './hook.ts';

/** The hook as the service pauses it; undefined when it is paused already, and stays unchanged. */
export function pausedHook(hook: Hook, reason: string): Hook | undefined {
  return hook.paused ? undefined : { ...hook, paused: true, pausedReason: reason };
}
