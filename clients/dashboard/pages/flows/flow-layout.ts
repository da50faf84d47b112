import type { StoredFlowJob } from '../../../typescript/src/api.ts';

export interface PlacedNode {
  readonly node: StoredFlowJob;
  /** The position of its upper left corner. */
  readonly x: number;
  readonly y: number;
  readonly parent: PlacedNode | undefined;
}

export interface FlowLayout {
  readonly nodes: readonly PlacedNode[];
  readonly width: number;
  readonly height: number;
}

export const BOX = { width: 180, height: 44 } as const;

const GAP = { x: 56, y: 12 } as const;

/** Lays out a tree from left to right: leaves below each other, each parent in the middle of its children. */
export function layoutOf(root: StoredFlowJob): FlowLayout {
  const nodes: PlacedNode[] = [];
  let rows = 0;
  let columns = 0;
  const place = (node: StoredFlowJob, depth: number, parent: Placeable | undefined): Placeable => {
    columns = Math.max(columns, depth + 1);
    const placed: Placeable = { node, x: depth * (BOX.width + GAP.x), y: 0, parent };
    nodes.push(placed);
    const children = node.children.map((child) => place(child, depth + 1, placed));
    const [first] = children;
    const last = children.at(-1);
    if (first === undefined || last === undefined) {
      placed.y = rows * (BOX.height + GAP.y);
      rows += 1;
    } else {
      placed.y = (first.y + last.y) / 2;
    }
    return placed;
  };
  place(root, 0, undefined);
  return {
    nodes,
    width: columns * (BOX.width + GAP.x) - GAP.x,
    height: rows * (BOX.height + GAP.y) - GAP.y,
  };
}

interface Placeable extends PlacedNode {
  y: number;
  readonly parent: Placeable | undefined;
}
