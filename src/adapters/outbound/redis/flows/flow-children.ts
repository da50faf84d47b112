import { inFlowOrder, type FlowChild } from '../../../../domain/flow.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { JobState } from '../../../../domain/job-status.ts';
import type { RedisClient } from '../connection/redis-client.ts';
import type { Script } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { storedValue } from '../layout/job-record.ts';
import { queueKeys } from '../layout/queue-keys.ts';
import { STATE_KEYS, stateKeys, stateOf } from '../jobs/job-state.ts';

/** How many entries of a set one command reads, about: the store does nothing else meanwhile. */
const PIECE = 200;

/** What BullMQ keeps with a parent of those children that it waits for, that completed and that failed. */
interface ChildKeys {
  readonly pending: string;
  readonly completed: string;
  readonly ignored: string;
  readonly failed: string;
}

/** KEYS: `stateKeys`. ARGV: key of the job, its id. Answers its name and its state, nothing when it is gone. */
const readChildScript: Script = {
  name: 'readChild',
  numberOfKeys: STATE_KEYS,
  lua: `
${stateOf(1)}
local record = redis.pcall("HMGET", ARGV[1], "name", "processedOn", "finishedOn")
if record["err"] or not record[1] then return false end
return {record[1], stateOf(ARGV[2], record[2], record[3])}
`,
};

/** The children of jobs, as BullMQ keeps them with their parents. */
export class FlowChildren {
  readonly #commands: StoreCommands;
  readonly #prefix: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#prefix = prefix;
  }

  /**
   * @param parentKey of the job's hash.
   * @param mostBytes as `FlowPort` has it.
   * @throws DomainError `store-unavailable`.
   */
  read(parentKey: string, mostBytes = Infinity): Promise<readonly FlowChild[]> {
    const keys = {
      pending: `${parentKey}:dependencies`,
      completed: `${parentKey}:processed`,
      ignored: `${parentKey}:failed`,
      failed: `${parentKey}:unsuccessful`,
    };
    return this.#commands.errors.run(() => this.#read(this.#commands.client, keys, mostBytes));
  }

  async #read(
    client: RedisClient,
    keys: ChildKeys,
    mostBytes: number,
  ): Promise<readonly FlowChild[]> {
    const children = new Map<string, FlowChild>();
    let bytes = 2;
    const add = async (entries: readonly Ended[]): Promise<boolean> => {
      const told = await Promise.all(entries.map((entry) => this.#child(entry)));
      for (const [index, child] of told.entries()) {
        const { key } = entries[index] as Ended;
        if (children.has(key)) continue;
        bytes += Buffer.byteLength(JSON.stringify(child)) + 1;
        if (bytes > mostBytes) return false;
        children.set(key, child);
      }
      return true;
    };
    for await (const entries of endedChildren(client, keys)) if (!(await add(entries))) break;
    return [...children.values()].sort(inFlowOrder);
  }

  async #child({ key, state, returnvalue }: Ended): Promise<FlowChild> {
    const { prefix, queue, id } = this.#partsOf(key);
    const keys = queueKeys(prefix, queue as QueueName);
    const found = (await this.#commands.scripts.run(readChildScript, stateKeys(keys), [
      key,
      id,
    ])) as readonly [name: string, state: JobState] | null;
    const value = returnvalue === undefined ? null : storedValue(returnvalue);
    const known = state ?? found?.[1] ?? null;
    return { queue, id, name: found?.[0] ?? null, state: known, returnvalue: value };
  }

  /** A prefix has no colon, nor has the name of a queue; an id may have some. */
  #partsOf(key: string): { prefix: string; queue: string; id: string } {
    const own = `${this.#prefix}:`;
    const prefix = key.startsWith(own) ? this.#prefix : key.slice(0, key.indexOf(':'));
    const rest = key.slice(prefix.length + 1);
    const end = rest.indexOf(':');
    return { prefix, queue: rest.slice(0, end), id: rest.slice(end + 1) };
  }
}

/** A child by its key, and how it ended for its parent, if it did. */
interface Ended {
  readonly key: string;
  readonly state?: 'completed' | 'failed';
  readonly returnvalue?: string;
}

/** All children of a parent, in pieces, those that ended first. A child may be found twice. */
async function* endedChildren(
  client: RedisClient,
  keys: ChildKeys,
): AsyncGenerator<readonly Ended[]> {
  for await (const found of pieces((cursor) =>
    client.hscan(keys.completed, cursor, 'COUNT', PIECE),
  )) {
    yield inPairs(found).map(([key, returnvalue]) => ({ key, state: 'completed', returnvalue }));
  }
  for await (const found of pieces((cursor) =>
    client.hscan(keys.ignored, cursor, 'COUNT', PIECE),
  )) {
    yield inPairs(found).map(([key]) => ({ key, state: 'failed' }));
  }
  for await (const found of pieces((cursor) => client.zscan(keys.failed, cursor, 'COUNT', PIECE))) {
    yield inPairs(found).map(([key]) => ({ key, state: 'failed' }));
  }
  for await (const found of pieces((cursor) =>
    client.sscan(keys.pending, cursor, 'COUNT', PIECE),
  )) {
    yield found.map((key) => ({ key }));
  }
}

async function* pieces(
  scan: (cursor: string) => Promise<[cursor: string, found: string[]]>,
): AsyncGenerator<readonly string[]> {
  let cursor = '0';
  do {
    const [next, found] = await scan(cursor);
    // Up to so many values are in one piece however large a piece is asked for.
    for (let first = 0; first < found.length; first += 2 * PIECE) {
      yield found.slice(first, first + 2 * PIECE);
    }
    cursor = next;
  } while (cursor !== '0');
}

function inPairs(values: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < values.length; index += 2) {
    pairs.push([values[index] as string, values[index + 1] as string]);
  }
  return pairs;
}
