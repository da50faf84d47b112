import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { StoredFlowJob } from '../../../typescript/src/api.ts';
import { pageLink } from '../../navigation/route.ts';
import { BOX, layoutOf, type PlacedNode } from './flow-layout.ts';
import { Button } from '../../parts/button.tsx';

const MOST = 2;
const LEAST = 0.2;
const ZOOM = 1.25;

/** How far an arrow key moves the drawing, in pixels. */
const STEP = 60;

/** The flow as boxes from left to right; for screen readers, the tree beside it has the same content. */
export function FlowDrawing({
  root,
  critical,
}: {
  readonly root: StoredFlowJob;
  /** The jobs that decide how long the flow takes. */
  readonly critical: ReadonlySet<StoredFlowJob>;
}): VNode {
  const place = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const { nodes, width, height } = useMemo(() => layoutOf(root), [root]);
  const fit = (): void => {
    const room = place.current;
    if (room === null) return;
    const fitting = Math.min((room.clientWidth - 32) / width, (room.clientHeight - 32) / height, 1);
    setZoom(Math.max(LEAST, fitting));
  };
  useEffect(fit, []);
  const zoomBy = (factor: number): void =>
    setZoom((before) => Math.min(MOST, Math.max(LEAST, before * factor)));
  const press = (event: KeyboardEvent): void => {
    const keys: Readonly<Record<string, () => void>> = {
      '+': () => zoomBy(ZOOM),
      '-': () => zoomBy(1 / ZOOM),
      '0': () => setZoom(1),
      f: fit,
      ArrowLeft: () => place.current?.scrollBy(-STEP, 0),
      ArrowRight: () => place.current?.scrollBy(STEP, 0),
      ArrowUp: () => place.current?.scrollBy(0, -STEP),
      ArrowDown: () => place.current?.scrollBy(0, STEP),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    act();
    event.preventDefault();
  };
  const drag = (event: PointerEvent): void => {
    if (event.buttons !== 1) return;
    place.current?.scrollBy(-event.movementX, -event.movementY);
  };
  return (
    <section class="card drawing" aria-label="Drawing of the flow">
      <p class="buttons">
        <Button aria-label="Smaller" onClick={() => zoomBy(1 / ZOOM)}>
          −
        </Button>
        <Button aria-label="Larger" onClick={() => zoomBy(ZOOM)}>
          +
        </Button>
        <Button onClick={() => setZoom(1)}>1 : 1</Button>
        <Button onClick={fit}>Fit</Button>
      </p>
      <div
        ref={place}
        class="drawing-room"
        role="group"
        aria-label="Flow: arrows move it, + and − zoom, f fits"
        tabIndex={0}
        onKeyDown={press}
        onPointerMove={drag}
        style={{ height: `min(56vh, ${height + 32}px)` }}
      >
        <svg
          width={width * zoom}
          height={height * zoom}
          viewBox={`-2 -2 ${width + 4} ${height + 4}`}
        >
          <path class="edges" d={nodes.map(edge).join('')} />
          <path
            class="edges critical"
            d={nodes
              .filter(({ node }) => critical.has(node))
              .map(edge)
              .join('')}
          />
          {nodes.map((placed) => boxOf(placed, critical.has(placed.node)))}
        </svg>
      </div>
    </section>
  );
}

function boxOf({ node, x, y }: PlacedNode, isCritical: boolean): VNode {
  const { queue, id, name, state } = node;
  const isMarked = isCritical ? ', on the critical path' : '';
  return (
    <a
      key={`${queue} ${id}`}
      href={pageLink(['queues', queue, 'jobs', id])}
      tabIndex={-1}
      class={`box state-${state ?? 'unknown'}${isCritical ? ' critical' : ''}`}
    >
      <title>{`${name ?? 'removed'}, ${state ?? 'removed'}${isMarked}: ${queue} ${id}`}</title>
      <rect x={x} y={y} width={BOX.width} height={BOX.height} rx={6} />
      <path class="edge-of-state" d={`M${x + 3} ${y + 6}v${BOX.height - 12}`} />
      <svg x={x + 14} y={y} width={BOX.width - 20} height={BOX.height}>
        <text y={18} class="box-name">
          {cut(name ?? 'removed')}
        </text>
        <text y={35}>{cut(`${state ?? 'removed'} · ${queue}`)}</text>
      </svg>
    </a>
  );
}

/** The curve between a parent and its child. */
function edge({ x, y, parent }: PlacedNode): string {
  if (parent === undefined) return '';
  const from = { x: parent.x + BOX.width, y: parent.y + BOX.height / 2 };
  const to = y + BOX.height / 2;
  const middle = (from.x + x) / 2;
  return `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to} ${x} ${to}`;
}

/** The part of a text that fits into a box; the box itself cuts off wide letters. */
function cut(text: string): string {
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}
