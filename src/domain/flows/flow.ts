import { checkShape } from '../values/check-shape.ts';
import { invalidRequest } from '../errors.ts';
import type { JobOptions } from '../jobs/job-options.ts';
import { jobInputFields, newJob, type JobInput, type NewJob } from '../jobs/job.ts';
import { isObject } from '../values/json.ts';
import type { PolicyDefaults } from '../policies/policy.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { object, oneOf, optional, required, type Shape } from '../values/shape.ts';
import type { FlowChild } from './flow-child.ts';

/** Maximum depth of a flow, including its root. */
export const MOST_FLOW_LEVELS = 10;

/** Maximum number of jobs of a flow. */
export const MOST_FLOW_JOBS = 10_000;

/** Maximum number of queues that the jobs of a flow are added to: the step that adds them changes each. */
export const MOST_FLOW_QUEUES = 100;

/** How much of the outcomes of its job's children a call carries, in bytes of JSON. */
export const MOST_CHILDREN_BYTES = 1024 * 1024;

/** The effect of a failed child on its parent, and the option of the stored child that selects it. */
const FAILURE_OPTIONS = {
  wait: undefined,
  fail: 'failParentOnFailure',
  continue: 'continueParentOnFailure',
  ignore: 'ignoreDependencyOnFailure',
} as const;

/**
 * The effect of a failed child on its parent: the parent keeps waiting, fails too, starts at once, or continues as if
 * the child had completed.
 */
export const FAILURE_RULES = ['wait', 'fail', 'continue', 'ignore'] as const;

export type FailureRule = (typeof FAILURE_RULES)[number];

/** The effect of a failed job on its parent, for jobs of any producer. */
export function failureRuleOf(opts: JobOptions): FailureRule {
  const rule = FAILURE_RULES.find((each) => {
    const option = FAILURE_OPTIONS[each];
    return option !== undefined && opts[option] === true;
  });
  return rule ?? (opts['removeDependencyOnFailure'] === true ? 'ignore' : 'wait');
}

/** A job of a flow as a client requests it, with the jobs that it waits for. */
export type FlowInput = JobInput & {
  readonly queue: QueueName;
  readonly onChildFailure?: FailureRule;
  readonly children?: readonly FlowInput[];
};

/** The title stands for the shape of each child, which is that of its parent. */
const children: Shape<readonly object[]> = {
  must: 'be an array of jobs',
  accepts: (value): value is readonly object[] => Array.isArray(value),
  schema: { type: 'array', maxItems: MOST_FLOW_JOBS, items: { title: 'FlowJob' } },
};

/** The shape of each job of a flow, to be created once. It does not descend into children: a tree may be deep. */
export function flowJobShape(queueName: Shape<QueueName>) {
  return object('FlowJob', {
    queue: required(queueName, 'The queue that it is added to'),
    ...jobInputFields,
    onChildFailure: optional(
      oneOf(...FAILURE_RULES),
      'The effect of its failure on the job above it, which waits unless this is given',
    ),
    children: optional(children, 'The jobs that have to complete before it starts'),
  });
}

export type FlowJobShape = ReturnType<typeof flowJobShape>;

/** A job of a flow and its position in the tree. */
export interface FlowPlace {
  readonly value: unknown;
  /** The path to it from the root. */
  readonly path: readonly (string | number)[];
  /** The position of its parent, undefined for the root. */
  readonly parent: number | undefined;
}

/**
 * Visits the jobs of a flow: each before its children, and siblings in order.
 *
 * @throws DomainError `invalid-request` when the tree is too deep or too large.
 */
export function* flowPlaces(root: unknown): Generator<FlowPlace> {
  const stack: FlowPlace[] = [{ value: root, path: [], parent: undefined }];
  let position = 0;
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    yield place;
    const { value, path } = place;
    const below: unknown = isObject(value) ? value['children'] : undefined;
    if (Array.isArray(below) && below.length > 0) {
      if (path.length / 2 + 1 >= MOST_FLOW_LEVELS) {
        throw tooMuch([...path, 'children'], `be left out beyond ${MOST_FLOW_LEVELS} levels`);
      }
      if (position + 1 + stack.length + below.length > MOST_FLOW_JOBS) {
        throw tooMuch([...path, 'children'], `not bring a flow over ${MOST_FLOW_JOBS} jobs`);
      }
      for (let index = below.length - 1; index >= 0; index -= 1) {
        stack.push({ value: below[index], path: [...path, 'children', index], parent: position });
      }
    }
    position += 1;
  }
}

/** A job of a flow that passed every rule and may be stored. */
export interface NewFlowJob extends JobAddress {
  readonly job: NewJob;
  /** The position of its parent; parents come before their children. */
  readonly parent: number | undefined;
  readonly onFailure: FailureRule;
  /** Whether it waits for other jobs. */
  readonly isParent: boolean;
}

/** The facts that determine the jobs of a flow besides its input: with the same origin, the same jobs are made again. */
export interface FlowOrigin {
  /** Prefix of the ids of jobs that have none of their own. */
  readonly id: string;
  /** The options for jobs that do not set them, by queue. */
  readonly defaults: readonly (readonly [queue: QueueName, defaults: PolicyDefaults])[];
  /** The trace of its add; absent without one. */
  readonly carrier?: string;
}

/**
 * The jobs of a flow, each before its children.
 *
 * @param shape the shape of each job.
 * @param defaultsOf options for jobs of a queue that do not set them.
 * @param id prefix of the ids of jobs that have none of their own.
 * @throws DomainError `invalid-request` naming the first bad field.
 */
export function newFlow(
  input: FlowInput,
  shape: FlowJobShape,
  defaultsOf: (queue: QueueName) => PolicyDefaults | undefined,
  id: string,
): readonly NewFlowJob[] {
  const jobs: NewFlowJob[] = [];
  const given = new Set<string>();
  const queues = new Set<QueueName>();
  for (const { value, path, parent } of flowPlaces(input)) {
    checkShape(shape, value, fieldOf(path));
    const { queue, name, data, opts, onChildFailure, children } = value as FlowInput;
    if (queues.add(queue).size > MOST_FLOW_QUEUES) {
      const most = `a flow may name at most ${MOST_FLOW_QUEUES} queues`;
      throw invalidRequest(most, fieldOf([...path, 'queue']));
    }
    const isParent = children !== undefined && children.length > 0;
    checkPlace(value as FlowInput, path, isParent);
    const { ttl, ...defaults } = defaultsOf(queue) ?? {};
    const known = isParent || ttl === undefined ? defaults : { ...defaults, ttl };
    const asked = newJob({ name, data, ...(opts && { opts }) }, fieldOf(path), known);
    const onFailure = onChildFailure ?? 'wait';
    const option = FAILURE_OPTIONS[onFailure];
    const job =
      option === undefined ? asked : { ...asked, opts: { ...asked.opts, [option]: true } };
    const own = opts?.jobId;
    if (own !== undefined) {
      if (given.has(`${queue}:${own}`)) throw twice([...path, 'opts', 'jobId']);
      given.add(`${queue}:${own}`);
    }
    const position = jobs.length;
    const generated = position === 0 ? id : `${id}-${position}`;
    jobs.push({ queue, id: own ?? generated, job, parent, onFailure, isParent });
  }
  return jobs;
}

/** What jobs of a flow may not have, although other jobs may. */
function checkPlace(
  { opts, onChildFailure }: FlowInput,
  path: FlowPlace['path'],
  isParent: boolean,
): void {
  if (path.length === 0 && onChildFailure !== undefined) {
    throw tooMuch(['onChildFailure'], 'be left out: no job waits for the first one');
  }
  if (opts?.deduplication !== undefined) {
    throw tooMuch([...path, 'opts', 'deduplication'], 'be left out in a flow');
  }
  if (isParent && opts?.ttl !== undefined) {
    throw tooMuch([...path, 'opts', 'ttl'], 'be left out where a job waits for children');
  }
}

function tooMuch(path: FlowPlace['path'], must: string): Error {
  const field = fieldOf(path);
  return invalidRequest(`${field} must ${must}`, field);
}

function twice(path: FlowPlace['path']): Error {
  return tooMuch(path, 'be another one: a job of the flow has it already');
}

function fieldOf(path: FlowPlace['path']): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** The generated ids end in the positions of the jobs, so children are listed in the order in which they were given. */
export function inFlowOrder<Child extends Pick<FlowChild, 'queue' | 'id'>>(
  children: readonly Child[],
): readonly Child[] {
  return children
    .map((child) => ({ child, ...partsOf(child.id) }))
    .sort(
      (one, other) =>
        compareIds(one, other) || collator.compare(one.child.queue, other.child.queue),
    )
    .map(({ child }) => child);
}

interface IdParts {
  readonly id: string;
  /** The part of an id before its trailing number. */
  readonly head: string;
  readonly position: number;
}

/** Digits beyond what a number can represent are part of the head. */
function partsOf(id: string): IdParts {
  const digits = /\d{0,15}$/.exec(id)?.[0] ?? '';
  return { id, head: id.slice(0, id.length - digits.length), position: Number(digits) };
}

/**
 * Most ids differ only in their trailing number; for these the collator is avoided, since it takes ten times as long.
 */
function compareIds(one: IdParts, other: IdParts): number {
  if (one.head === other.head) return one.position - other.position;
  return collator.compare(one.id, other.id);
}

const collator = new Intl.Collator('en', { numeric: true });

/** The address of a job, which may be gone. */
export interface JobAddress {
  readonly queue: QueueName;
  readonly id: string;
}
