import type { Session, SessionsPage } from 'jobgate-client';
import { YES, type Command } from '../command.ts';
import type { Column } from '../output/table.ts';
import { moment } from '../output/times.ts';
import { PAGE, restOf } from './paging.ts';

const columns: readonly Column<Session>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'OPENED', cell: ({ createdAt }) => moment(createdAt) },
  { head: 'USED', cell: ({ lastSeenAt }) => moment(lastSeenAt) },
  { head: 'ADDRESS', cell: ({ address }) => address },
];

export const sessionCommands: readonly Command[] = [
  {
    name: 'sessions list',
    takes: '',
    count: [0, 0],
    summary: 'list the browser sessions that were opened with the token',
    options: PAGE(100),
    isWatchable: true,
    run: async (call) => {
      const query = { start: call.number('skip'), length: call.number('limit') ?? 100 };
      const answer = await call.request<SessionsPage>('GET', '/sessions', { query });
      call.answer(
        answer,
        ({ total, sessions }) =>
          call.table(columns, sessions, 'No browser is signed in with this token') +
          restOf(sessions.length, query.start ?? 0, total, 'sessions'),
      );
    },
  },
  {
    name: 'sessions end',
    takes: '<id>',
    count: [1, 1],
    summary: 'end a browser session that was opened with the token',
    options: YES,
    run: async (call) => {
      const [id = ''] = call.names;
      if (!(await call.isWanted(`End the session ${id}?`))) return;
      await call.request('DELETE', `/sessions/${encodeURIComponent(id)}`);
      call.answer({ ended: id }, () => `The session ${id} has ended`);
    },
  },
];
