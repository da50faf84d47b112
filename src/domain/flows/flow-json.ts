import { shownOptions } from '../jobs/shown-options.ts';
import { failureRuleOf, type FailureRule, type JobAddress, type NewFlowJob } from './flow.ts';
import type { FlowNode, PlacedNode } from './flow-node.ts';
import type { NewJob } from '../jobs/job.ts';

/** In the answer to an add, only what it stored is known. */
type KnownOfNode = Partial<Omit<FlowNode, 'queue' | 'id' | 'isParent' | 'data'>>;

/** A job of a flow as the API returns it, with the jobs that it waits for or waited for. */
export interface FlowJson extends JobAddress, KnownOfNode {
  readonly data?: NewJob['data'];
  /** Absent for a job that no other job waits for. */
  readonly onChildFailure?: FailureRule;
  readonly children: readonly FlowJson[];
}

/**
 * The tree of the added jobs, the first of which is the root.
 *
 * @param shown each of them as its reader may see it.
 */
export function addedFlowJson(
  jobs: readonly NewFlowJob[],
  shown: <Shown extends { readonly opts?: unknown }>(job: Shown) => Shown,
): FlowJson {
  const nodes = jobs.map(({ queue, id, job: { name, data, opts }, parent, onFailure }) => {
    const rule = parent === undefined ? {} : { onChildFailure: onFailure };
    const node = { queue, id, name, data, opts: shownOptions(opts), ...rule };
    return { ...shown(node), children: [] as FlowJson[] };
  });
  jobs.forEach(({ parent }, index) => {
    if (parent !== undefined) nodes[parent]?.children.push(nodes[index] as FlowJson);
  });
  return nodes[0] as FlowJson;
}

/** A job of a tree that was read, without its descendants. */
export function flowNodeJson({ node, depth }: PlacedNode): Omit<FlowJson, 'children'> {
  const { queue, id, name, data, opts, state, returnvalue, failedReason } = node;
  const { timestamp, processedOn, finishedOn } = node;
  return {
    queue,
    id,
    ...(name !== undefined && { name }),
    ...(data !== undefined && { data }),
    ...(opts !== undefined && { opts: shownOptions(opts) }),
    ...(opts !== undefined && depth > 0 && { onChildFailure: failureRuleOf(opts) }),
    state,
    ...(returnvalue !== undefined && { returnvalue }),
    ...(failedReason !== undefined && { failedReason }),
    ...(timestamp !== undefined && { timestamp }),
    ...(processedOn !== undefined && { processedOn }),
    ...(finishedOn !== undefined && { finishedOn }),
  };
}
