import type { FlowChild } from '../../../../domain/flows/flow-child.ts';
import { inFlowOrder, type JobAddress } from '../../../../domain/flows/flow.ts';
import { MAX_TREE_VALUE, type FlowNode } from '../../../../domain/flows/flow-node.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { Page } from '../../../../domain/values/page.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { jobOfKey } from '../layout/job-of-key.ts';
import { storedValue } from '../layout/job-record.ts';
import {
  listChildren,
  readChildren,
  readNodes,
  type NodeAnswer,
  type WholeChild,
} from '../scripts/families.ts';
import { childNode, NODE_FIELDS, nodeOf } from './flow-nodes.ts';

/** How many children one run of a script reads. */
const PIECE = 40;

/** How a child ended for its parent, in the order of the script's answers; undefined if it did not end. */
const ENDINGS = ['completed', 'failed', 'failed', undefined] as const;

/** The address of a child, and how it ended for its parent, if it did. */
export interface ListedChild extends JobAddress {
  readonly key: string;
  readonly prefix: string;
  readonly ending: 'completed' | 'failed' | undefined;
}

/** The children of jobs, as BullMQ keeps them with their parents. */
export class FlowChildren {
  readonly #store: StoreCommands;

  constructor(store: StoreCommands) {
    this.#store = store;
  }

  /**
   * The first children, as many as fit in `mostBytes` of JSON.
   *
   * @param parentKey of the job's hash.
   * @throws DomainError `store-unavailable`.
   */
  async fitting(parentKey: string, mostBytes: number): Promise<readonly FlowChild[]> {
    const children: FlowChild[] = [];
    let bytes = 2;
    const listed = await this.#list(parentKey);
    for await (const piece of this.#pieces(
      parentKey,
      listed,
      (size) => bytes + size <= mostBytes,
    )) {
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
    yield* this.#pieces(parentKey, (await this.#list(parentKey)).slice(start, start + length));
  }

  /** As `FlowPort` has it. */
  async node(jobPrefix: string, queue: QueueName, id: string): Promise<FlowNode | undefined> {
    const [answer] = await this.#readNodes(jobPrefix + id, [jobPrefix, id]);
    return answer && nodeOf({ queue, id }, answer);
  }

  /** As `FlowPort` has it. */
  async *nodes(parentKey: string, most: number): AsyncGenerator<readonly FlowNode[]> {
    const listed = (await this.#list(parentKey)).slice(0, most);
    for (const some of piecesOf(listed, PIECE)) {
      const answers = await this.#readNodes(parentKey, some.flatMap(addressOf));
      yield some.map((child, index) => childNode(child, answers[index] ?? [null, null, null, 0]));
    }
  }

  /**
   * As `FlowPort` has it. A native client may have put some under another prefix, which this service does not touch.
   */
  async addresses(parentKey: string): Promise<readonly JobAddress[]> {
    const listed = await this.#list(parentKey);
    const own = listed.filter(({ prefix }) => prefix === this.#store.prefix);
    return own.map(({ queue, id }) => ({ queue, id }));
  }

  async #list(parentKey: string): Promise<readonly ListedChild[]> {
    const found = await this.#store.call(listChildren, {
      completed: `${parentKey}:processed`,
      passedOver: `${parentKey}:failed`,
      failed: `${parentKey}:unsuccessful`,
      awaited: `${parentKey}:dependencies`,
    });
    const listed = found.flatMap((keys, index) =>
      keys.map((key) => ({ key, ...jobOfKey(this.#store.prefix, key), ending: ENDINGS[index] })),
    );
    return inFlowOrder(listed);
  }

  /**
   * @param mayTake whether a child of that many bytes, too large for a script, may be read; if not, the pieces end
   * there.
   */
  async *#pieces(
    parentKey: string,
    listed: readonly ListedChild[],
    mayTake: (size: number) => boolean = () => true,
  ): AsyncGenerator<readonly FlowChild[]> {
    for (let read = 0; read < listed.length;) {
      const some = listed.slice(read, read + PIECE);
      const returned = `${parentKey}:processed`;
      const addresses = some.flatMap(addressOf);
      const answers = await this.#store.call(readChildren, { returned }, {}, addresses);
      read += answers.length;
      const [first] = some;
      const [answer] = answers;
      if (first !== undefined && answer?.length === 2) {
        const [state, size] = answer;
        if (!mayTake(size)) return;
        yield [shownChild(first, await this.#readLarge(parentKey, first, state))];
      } else {
        yield (answers as readonly WholeChild[]).map((each, index) =>
          shownChild(some[index] as ListedChild, each),
        );
      }
    }
  }

  async #readLarge(
    parentKey: string,
    { key }: ListedChild,
    state: JobState | null,
  ): Promise<WholeChild> {
    const name = await this.#store.readLarge((client) => client.hget(key, 'name'));
    const returned = await this.#store.readLarge((client) =>
      client.hget(`${parentKey}:processed`, key),
    );
    return [name, state, returned];
  }

  #readNodes(parentKey: string, addresses: readonly string[]): Promise<readonly NodeAnswer[]> {
    const returned = `${parentKey}:processed`;
    const fields = { longest: MAX_TREE_VALUE, count: NODE_FIELDS.length };
    return this.#store.call(readNodes, { returned }, fields, [...NODE_FIELDS, ...addresses]);
  }
}

/** The key prefix of the child's queue, and its id. */
function addressOf({ prefix, queue, id }: ListedChild): readonly [string, string] {
  return [`${prefix}:${queue}:`, id];
}

function shownChild(
  { queue, id, ending }: ListedChild,
  [name, state, returned]: WholeChild,
): FlowChild {
  const returnvalue = returned === null ? null : storedValue(returned);
  return { queue, id, name, state: ending ?? state, returnvalue };
}
