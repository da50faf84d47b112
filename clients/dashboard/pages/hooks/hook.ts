import { stoppedInWords } from '../../../../src/domain/values/stop-in-words.ts';
import type { Hook } from '../../../typescript/src/api.ts';

/** Whether a hook sends messages, and what keeps it from doing so. */
export function stateOf({ paused, unreadable }: Hook): string {
  if (unreadable !== undefined) return 'disabled';
  return paused ? 'paused' : 'ready';
}

/** The pause of a hook in words: its caller and its reason; undefined while the hook is not paused. */
export function whyPaused({ pausedReason, pause }: Hook): string | undefined {
  return pause ? `paused ${stoppedInWords(pause)}` : pausedReason;
}
