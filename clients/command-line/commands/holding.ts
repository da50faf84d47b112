import type { Held } from 'jobgate-client';
import { asking } from '../asking.ts';
import type { Declaration, Options } from '../command.ts';
import { durationOf } from '../input/durations.ts';
import { UsageError } from '../input/usage-error.ts';
import { timeAndDistance } from '../output/times.ts';

/** Why a person stops something. */
export const REASON: Options = {
  'reason <text>': 'why, shown to everyone who asks why nothing starts',
};

/** The command that pauses a group or a scheduler, or resumes it. */
export function pausing(
  thing: 'group' | 'id',
  action: 'pause' | 'resume',
  summary: string,
): Declaration {
  const noun = thing === 'group' ? 'groups' : 'schedulers';
  return asking({
    usage: `${noun} ${action} <queue> <${thing}>`,
    summary,
    sends: `POST /queues/<queue>/${noun}/<${thing}>/${action}`,
    ...(thing === 'group' && { needsQueue: true }),
    ...(action === 'pause' && {
      options: REASON,
      body: (call) => ({ reason: call.text('reason') }),
    }),
    done: (call) => ({ [thing]: call.name(1), paused: action === 'pause' }),
    shows: (_, call) => `${call.name(1)} of ${call.queue} is ${action}d`,
  });
}

/** The command that holds a queue, or one of its groups. */
export function holding(
  thing: 'queue' | 'group',
  declared: Pick<Declaration, 'usage' | 'summary' | 'examples'>,
): Declaration {
  const path = `/queues/<queue>${thing === 'group' ? '/groups/<group>' : ''}/hold`;
  return {
    ...declared,
    options: { end: 'end the hold now', ...REASON },
    run: async (call) => {
      const names = call.names.slice(0, thing === 'group' ? 2 : 1);
      const text = call.names[names.length];
      if ((text === undefined) !== call.has('end')) {
        throw new UsageError('Give a duration such as 10m, or --end');
      }
      call.refuseBeside('end', ['reason']);
      const ms = text === undefined ? 0 : durationOf('The time', text);
      await call.requireQueue();
      let until: number | null = null;
      if (text === undefined) await call.request('DELETE', path);
      else
        ({ until } = await call.request<Held>('POST', path, {
          body: { for: ms, reason: call.text('reason') },
        }));
      const which = names.toReversed().join(' of ');
      const answer = { [thing]: names.at(-1), until };
      call.answer(answer, () =>
        until === null
          ? `${which} is no longer held`
          : `${which} is held until ${timeAndDistance(until)}`,
      );
    },
  };
}
