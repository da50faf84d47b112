import { failureRuleOf, type FailureRule, type FlowChild, type NewFlowJob } from './flow.ts';
import type { JobOptions } from './job-options.ts';
import type { Job, NewJob } from './job.ts';

/** A job of a flow as it goes over the wire, with those that it waits for or waited for. */
export interface FlowJson extends Pick<FlowChild, 'queue' | 'id' | 'name'> {
  /** Absent, as all that follows, when the job is gone. */
  readonly data?: NewJob['data'];
  readonly opts?: JobOptions;
  /** Absent for a job that no other waits for. */
  readonly onChildFailure?: FailureRule;
  /** Absent in the answer to an add. */
  readonly state?: FlowChild['state'];
  readonly returnvalue?: FlowChild['returnvalue'];
  readonly failedReason?: string;
  readonly children: readonly FlowJson[];
}

/** The tree of jobs that were added, the first of which is its root. */
export function addedFlowJson(jobs: readonly NewFlowJob[]): FlowJson {
  const nodes = jobs.map(({ queue, id, job: { name, data, opts }, parent, onFailure }) => {
    const rule = parent === undefined ? {} : { onChildFailure: onFailure };
    return { queue, id, name, data, opts, ...rule, children: [] as FlowJson[] };
  });
  jobs.forEach(({ parent }, index) => {
    if (parent !== undefined) nodes[parent]?.children.push(nodes[index] as FlowJson);
  });
  return nodes[0] as FlowJson;
}

/** A tree that was read. */
export interface ReadFlow extends FlowChild {
  readonly job: Job | undefined;
  readonly children: readonly ReadFlow[];
}

/** @param isRoot whether no other job of it waits for this one. */
export function flowJson(flow: ReadFlow, isRoot = true): FlowJson {
  const { queue, id, name, state, returnvalue, job } = flow;
  const children = flow.children.map((child) => flowJson(child, false));
  if (job === undefined) return { queue, id, name, state, returnvalue, children };
  const { data, opts, failedReason } = job;
  return {
    queue,
    id,
    name,
    data,
    opts,
    ...(!isRoot && { onChildFailure: failureRuleOf(opts) }),
    state,
    returnvalue,
    ...(failedReason !== undefined && { failedReason }),
    children,
  };
}
