import type { StoredFlowJob } from '../../../typescript/src/api.ts';

/**
 * The jobs that decide how long a flow takes: its root, and below each of them the child that ends last. A child that
 * has not ended is later than any that has; of several, it is the one that started first. Jobs that no longer exist
 * have no times.
 */
export function criticalPath(root: StoredFlowJob): ReadonlySet<StoredFlowJob> {
  const path = new Set<StoredFlowJob>();
  for (
    let node: StoredFlowJob | undefined = root;
    node !== undefined;
    node = latest(node.children)
  ) {
    path.add(node);
  }
  return path.size > 1 ? path : new Set();
}

function latest(nodes: readonly StoredFlowJob[] = []): StoredFlowJob | undefined {
  return nodes
    .filter(({ timestamp }) => timestamp !== undefined)
    .reduce<StoredFlowJob | undefined>(
      (best, node) => (best === undefined || isLater(node, best) ? node : best),
      undefined,
    );
}

function isLater(one: StoredFlowJob, other: StoredFlowJob): boolean {
  const [end, otherEnd] = [one.finishedOn ?? Infinity, other.finishedOn ?? Infinity];
  if (end !== otherEnd || end !== Infinity) return end > otherEnd;
  return (one.processedOn ?? Infinity) < (other.processedOn ?? Infinity);
}
