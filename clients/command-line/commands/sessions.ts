import type { Session } from 'jobgate-client';
import { asking } from '../asking.ts';
import type { Declaration } from '../command.ts';
import type { Column } from '../output/table.ts';
import { moment } from '../output/times.ts';
import { listing } from './paging.ts';

const columns: readonly Column<Session>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'OPENED', cell: ({ createdAt }) => moment(createdAt) },
  { head: 'USED', cell: ({ lastSeenAt }) => moment(lastSeenAt) },
  { head: 'ADDRESS', cell: ({ address }) => address },
];

export const sessionCommands: readonly Declaration[] = [
  listing({
    usage: 'sessions list',
    summary: 'list the browser sessions that were opened with the token',
    isWatchable: true,
    sends: 'GET /sessions',
    rows: 'sessions',
    columns,
    none: () => 'No browser is signed in with this token',
  }),
  asking({
    usage: 'sessions end <id>',
    summary: 'end a browser session that was opened with the token',
    sends: 'DELETE /sessions/<id>',
    question: (call) => `End the session ${call.name(0)}?`,
    done: (call) => ({ ended: call.name(0) }),
    shows: ({ ended }) => `The session ${ended} has ended`,
  }),
];
