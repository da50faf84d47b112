import { inFlowOrder, type FlowChild, type JobAddress } from '../../../../domain/flow.ts';
import type { JobState } from '../../../../domain/job-status.ts';
import type { Page } from '../../../../domain/page.ts';
import { piecesOf } from '../../../../domain/pieces.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { Script } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { STATE_KEYS, stateKeys, stateOf } from '../jobs/job-state.ts';
import { storedValue } from '../layout/job-record.ts';
import { queueKeys } from '../layout/queue-keys.ts';

/** Children that are read at the same time, each with what it returned. */
const PIECE = 25;

/** How a child ended for its parent, in the order in which the script answers them; not if it did not. */
const ENDINGS = ['completed', 'failed', 'failed', undefined] as const;

/**
 * All children of a job at one moment, as BullMQ keeps them with it: those that completed, that failed and were
 * passed over, that failed it, and that it waits for. KEYS: these four. Answers the keys of each.
 */
const listChildrenScript: Script = {
  name: 'listChildren',
  numberOfKeys: 4,
  lua: `
return {redis.call("HKEYS", KEYS[1]), redis.call("HKEYS", KEYS[2]), redis.call("ZRANGE", KEYS[3], 0, -1),
  redis.call("SMEMBERS", KEYS[4])}
`,
};

/**
 * KEYS: `stateKeys`; what the children of the parent returned. ARGV: key of the job, its id. Answers its name and
 * its state, or two times nothing when it is gone, and what it returned.
 */
const readChildScript: Script = {
  name: 'readChild',
  numberOfKeys: STATE_KEYS + 1,
  lua: `
${stateOf(1)}
local returned = redis.call("HGET", KEYS[${STATE_KEYS + 1}], ARGV[1])
local record = redis.pcall("HMGET", ARGV[1], "name", "processedOn", "finishedOn")
if record["err"] or not record[1] then return {false, false, returned} end
return {record[1], stateOf(ARGV[2], record[2], record[3]), returned}
`,
};

type ReadChild = readonly [name: string | null, state: JobState | null, returned: string | null];

/** A child by its key, and how it ended for its parent, if it did. */
interface ListedChild extends JobAddress {
  readonly key: string;
  readonly prefix: string;
  readonly ending: 'completed' | 'failed' | undefined;
}

/** The children of jobs, as BullMQ keeps them with their parents. */
export class FlowChildren {
  readonly #commands: StoreCommands;
  readonly #prefix: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#prefix = prefix;
  }

  /**
   * The first children, as many as fit in so many bytes of JSON.
   *
   * @param parentKey of the job's hash.
   * @throws DomainError `store-unavailable`.
   */
  async fitting(parentKey: string, mostBytes: number): Promise<readonly FlowChild[]> {
    const children: FlowChild[] = [];
    let bytes = 2;
    for await (const piece of this.read(parentKey)) {
      for (const child of piece) {
        bytes += Buffer.byteLength(JSON.stringify(child)) + 1;
        if (bytes > mostBytes) return children;
        children.push(child);
      }
    }
    return children;
  }

  /** As `FlowPort` has it. */
  async *read(
    parentKey: string,
    { start, length }: Page = { start: 0, length: Infinity },
  ): AsyncGenerator<readonly FlowChild[]> {
    const listed = (await this.#list(parentKey)).slice(start, start + length);
    for (const some of piecesOf(listed, PIECE)) {
      yield await Promise.all(some.map((each) => this.#child(parentKey, each)));
    }
  }

  /** As `FlowPort` has it. A native client may have put some under another prefix, where this service does nothing. */
  async addresses(parentKey: string): Promise<readonly JobAddress[]> {
    const listed = await this.#list(parentKey);
    const own = listed.filter(({ prefix }) => prefix === this.#prefix);
    return own.map(({ queue, id }) => ({ queue, id }));
  }

  async #list(parentKey: string): Promise<readonly ListedChild[]> {
    const parts = ['processed', 'failed', 'unsuccessful', 'dependencies'];
    const found = (await this.#commands.scripts.run(
      listChildrenScript,
      parts.map((part) => `${parentKey}:${part}`),
      [],
    )) as readonly (readonly string[])[];
    const listed = found.flatMap((keys, index) =>
      keys.map((key) => ({ key, ...this.#partsOf(key), ending: ENDINGS[index] })),
    );
    return listed.sort(inFlowOrder);
  }

  async #child(
    parentKey: string,
    { key, prefix, queue, id, ending }: ListedChild,
  ): Promise<FlowChild> {
    const [name, state, returned] = (await this.#commands.scripts.run(
      readChildScript,
      [...stateKeys(queueKeys(prefix, queue)), `${parentKey}:processed`],
      [key, id],
    )) as ReadChild;
    const returnvalue = returned === null ? null : storedValue(returned);
    return { queue, id, name, state: ending ?? state, returnvalue };
  }

  /** A prefix has no colon, nor has the name of a queue; an id may have some. */
  #partsOf(key: string): JobAddress & { readonly prefix: string } {
    const own = `${this.#prefix}:`;
    const prefix = key.startsWith(own) ? this.#prefix : key.slice(0, key.indexOf(':'));
    const rest = key.slice(prefix.length + 1);
    const end = rest.indexOf(':');
    return { prefix, queue: rest.slice(0, end) as QueueName, id: rest.slice(end + 1) };
  }
}
