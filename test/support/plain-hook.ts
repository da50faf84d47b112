import type { Hook } from '../../src/domain/hooks/hook.ts';

/** A hook of the fewest fields. */
export function plainHook(id: string): Hook {
  return {
    id,
    url: 'http://127.0.0.1:1/',
    signing: false,
    events: ['worker.open'],
    for: 0,
    repeat: null,
    format: 'standard',
    paused: false,
    createdAt: 1,
    data: false,
  };
}
