import type { RoomState } from '../../memory/room/memory-room.ts';
import type { Database } from '../driver/database.ts';

/**
 * Says in the schema whether the memory of this replica is full, for the function `add_jobs`.
 *
 * @returns a function to be called once a second at least while it is full: the word of a replica counts for 15 s. It
 *   throws a DatabaseError.
 */
export function fullMemory(
  database: Database,
  schema: string,
  replica: string,
  room: RoomState,
): () => Promise<void> {
  const table = `"${schema}".full_memory`;
  let isPublished = false;
  return async () => {
    const { isFull, memory } = room;
    if (isFull) {
      isPublished = true;
      await database.query(
        `INSERT INTO ${table} AS f (replica, used, most) VALUES ($1, $2, $3) ON CONFLICT (replica)
         DO UPDATE SET used = excluded.used, most = excluded.most, seen = excluded.seen`,
        [replica, String(memory.used), String(memory.limit)],
      );
    } else if (isPublished) {
      await database.query(`DELETE FROM ${table} WHERE replica = $1`, [replica]);
      isPublished = false;
    }
  };
}
