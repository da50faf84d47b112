import type { FlowNode } from '../../../../domain/flows/flow-node.ts';
import { jobFromRecord, jobRecord, storedValue } from '../layout/job-record.ts';
import type { ListedChild } from './flow-children.ts';
import type { NodeAnswer } from '../scripts/families.ts';

/** The values of a job that a tree shows unless they are long, in the order in which the script reads them. */
const VALUES = ['name', 'data', 'opts', 'returnvalue', 'failedReason'] as const;

const SHOWN = [...VALUES, 'timestamp', 'processedOn', 'finishedOn'] as const;

type ShownField = (typeof SHOWN)[number];

const KEPT_WITH_CHILD = SHOWN.filter((field) => field !== 'returnvalue');

/** A child as a tree shows it. What it returned is kept with its parent. */
export function childNode(child: ListedChild, answer: NodeAnswer): FlowNode {
  const { queue, id, ending } = child;
  const [returned] = answer;
  const gone = { queue, id, name: null, state: null, isParent: false };
  const node = nodeOf(child, answer, KEPT_WITH_CHILD) ?? gone;
  return {
    ...node,
    state: ending ?? node.state,
    ...(returned !== 1 && { returnvalue: returned === null ? null : storedValue(returned) }),
  };
}

/** A job as a tree shows it, with some of its values; undefined when it does not exist. */
export function nodeOf(
  { queue, id }: Pick<ListedChild, 'queue' | 'id'>,
  [, state, children = 0, fields = [], long = []]: NodeAnswer,
  values: readonly ShownField[] = SHOWN,
): FlowNode | undefined {
  if (state === undefined) return undefined;
  const job = jobFromRecord(id, jobRecord(fields), queue);
  const shown = values.filter((field) => job[field] !== undefined && !long.includes(field));
  const entries = shown.map((field) => [field, job[field]] as const);
  return { queue, id, state, ...Object.fromEntries(entries), isParent: children > 0 };
}
