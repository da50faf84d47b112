import type { ServiceOperations } from '../../../../../application/operations/service-operations.ts';
import { route, type Route } from '../route.ts';

const SQLITE_TYPE = 'application/vnd.sqlite3';

/** The store as a whole. */
export function storeRoutes(service: ServiceOperations): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/store/backup',
      operation: service.backUpStore,
      isConfidential: true,
      tag: 'Health',
      summary: 'Read a copy of the whole embedded store',
      description:
        'A SQLite database for `jobgate store restore`. It has everything that was answered before, while ' +
        'changes go on. One at a time: 409 during another one, and for a store without a file.',
      replies: {
        200: {
          description: 'The database; `Content-Length` is its size',
          contentType: SQLITE_TYPE,
          schema: { type: 'string', format: 'binary' },
        },
      },
      errors: ['no-backup', 'backup-running', 'store-full'],
      reply: ({ size, pieces }) => ({
        status: 200,
        contentType: SQLITE_TYPE,
        headers: { 'Content-Length': String(size) },
        openPieces: pieces,
      }),
    }),
  ];
}
