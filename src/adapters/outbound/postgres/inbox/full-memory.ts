import type { RoomState } from '../../memory/room/memory-room.ts';
import type { Database } from '../driver/database.ts';

/** Says in the schema whether the memory of this replica is full, for the function `add_jobs`. */
export class FullMemory {
  readonly #database: Database;
  readonly #table: string;
  readonly #replica: string;
  readonly #room: RoomState;
  #isPublished = false;

  constructor(database: Database, schema: string, replica: string, room: RoomState) {
    this.#database = database;
    this.#table = `"${schema}".full_memory`;
    this.#replica = replica;
    this.#room = room;
  }

  /** To be called once a second at least while it is full: the word of a replica counts for 15 s. @throws DatabaseError */
  async publish(): Promise<void> {
    const { isFull, memory } = this.#room;
    if (isFull) {
      this.#isPublished = true;
      await this.#database.query(
        `INSERT INTO ${this.#table} AS f (replica, used, most) VALUES ($1, $2, $3) ON CONFLICT (replica)
         DO UPDATE SET used = excluded.used, most = excluded.most, seen = excluded.seen`,
        [this.#replica, String(memory.used), String(memory.limit)],
      );
    } else if (this.#isPublished) {
      await this.#database.query(`DELETE FROM ${this.#table} WHERE replica = $1`, [this.#replica]);
      this.#isPublished = false;
    }
  }
}
