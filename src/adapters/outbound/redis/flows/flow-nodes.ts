import type { FlowNode } from '../../../../domain/flows/flow-node.ts';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import { without } from '../../../../domain/values/without.ts';
import { jobFromRecord, storedValue } from '../layout/job-record.ts';
import type { NodeAnswer } from '../scripts/families.ts';
import type { ListedChild } from './flow-children.ts';

const SHOWN = [
  'name',
  'data',
  'opts',
  'returnvalue',
  'failedReason',
  'timestamp',
  'processedOn',
  'finishedOn',
] as const;

/** What is read of a job for a tree. The priority is among its options. */
export const NODE_FIELDS = [...SHOWN, 'priority'];

/** A child as a tree shows it. What it returned is kept with its parent. */
export function childNode(child: ListedChild, answer: NodeAnswer): FlowNode {
  const { queue, id, ending } = child;
  const [returned] = answer;
  const gone: FlowNode = { queue, id, name: null, state: null, isParent: false };
  const node = without(nodeOf(child, answer) ?? gone, 'returnvalue');
  return {
    ...node,
    state: ending ?? node.state,
    ...(returned !== 1 && { returnvalue: returned === null ? null : storedValue(returned) }),
  };
}

/** A job as a tree shows it, without the values that are too long; undefined when it does not exist. */
export function nodeOf(
  { queue, id }: JobAddress,
  [, state, values, children]: NodeAnswer,
): FlowNode | undefined {
  const read = new Map(NODE_FIELDS.map((field, index) => [field, values?.[index] ?? null]));
  if (state === null || read.get('name') === null) return undefined;
  const isText = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === 'string';
  const job = jobFromRecord(id, new Map([...read].filter(isText)), queue);
  const shown = SHOWN.filter(
    (field) => job[field] !== undefined && typeof read.get(field) !== 'number',
  );
  const entries = shown.map((field) => [field, job[field]] as const);
  return { queue, id, state, ...Object.fromEntries(entries), isParent: children > 0 };
}
