import UPlot from 'uplot';

/** All plots of a page show the same moment under the pointer. */
const CURSOR = 'queue';

/** A drag of fewer pixels is a click. */
const DRAG = 6;

const DAY = 86_400;

export interface Line {
  readonly label: string;
  /** The state whose colour the line has. */
  readonly state: string;
  readonly values: readonly (number | null)[];
  readonly isArea?: boolean;
  /** Whether the line is dashed, so that it differs by more than its colour. */
  readonly isDashed?: boolean;
}

export interface PlotOptions {
  /** The least value that the axis goes up to. */
  readonly least: number;
  readonly text: (value: number) => string;
  /** Formats a time of day, and a day, of a time (epoch ms). */
  readonly timeText: (at: number) => string;
  readonly dayText: (at: number) => string;
  /** Called with the step under the pointer, or null without any. */
  readonly pointed: (index: number | null) => void;
  /** Called with the selected period, epoch ms. */
  readonly selected: (from: number, to: number) => void;
}

/** The only part of the dashboard that needs uPlot. It is loaded together with it, and contains nothing else. */
export function drawPlot(
  element: HTMLElement,
  data: UPlot.AlignedData,
  lines: readonly Line[],
  options: PlotOptions,
): UPlot {
  return new UPlot(optionsOf(element, lines, options), data, element);
}

function optionsOf(
  element: HTMLElement,
  lines: readonly Line[],
  { least, text, timeText, dayText, pointed, selected }: PlotOptions,
): UPlot.Options {
  const muted = colourOf(element, 'muted');
  const line = colourOf(element, 'line');
  const axis: UPlot.Axis = {
    stroke: muted,
    font: '12px system-ui',
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  };
  const label = (time: number, _index: number, [first = time, second = time]: number[]): string =>
    second - first >= DAY ? dayText(time * 1000) : timeText(time * 1000);
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    legend: { show: false },
    // The last time stands under the end of the lines, and needs half of its width beyond it.
    padding: [8, 20, 0, 0],
    scales: { y: { range: (_plot, _lowest, highest) => [0, Math.max(least, highest) * 1.08] } },
    axes: [
      { ...axis, size: 24, space: 72, values: (_plot, times) => times.map(label) },
      { ...axis, size: widthOf, space: 28, values: (_plot, values) => values.map(text) },
    ],
    cursor: {
      sync: { key: CURSOR, setSeries: false },
      drag: { x: true, y: false, setScale: false },
      y: false,
    },
    series: [
      {},
      ...lines.map(({ label, state, isArea = false, isDashed = false }): UPlot.Series => {
        const colour = colourOf(element, state);
        return {
          label,
          stroke: colour,
          width: 1.5,
          points: { size: 4, fill: colour, filter: alone },
          ...(isArea && { fill: translucent(colour) }),
          ...(isDashed && { dash: [5, 3] }),
        };
      }),
    ],
    hooks: {
      setCursor: [({ cursor }) => pointed(cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < DRAG) return;
          const at = (position: number): number => Math.round(plot.posToVal(position, 'x') * 1000);
          selected(at(left), at(left + width));
        },
      ],
    },
  };
}

/** The width (CSS pixels) of an axis that cuts none of its values, with the gap that uPlot leaves beside them. */
function widthOf({ ctx }: UPlot, values: readonly string[] | null): number {
  ctx.font = `${12 * devicePixelRatio}px system-ui`;
  const widths = (values ?? []).map((value) => ctx.measureText(value).width / devicePixelRatio);
  return Math.max(56, Math.ceil(Math.max(0, ...widths)) + 12);
}

/** The indices of values between two gaps, which no line connects. */
function alone(plot: UPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  const isGap = (index: number): boolean => (values[index] ?? null) === null;
  return [...values.keys()].filter(
    (index) => !isGap(index) && isGap(index - 1) && isGap(index + 1),
  );
}

/** A colour of the stylesheet as it is now. */
function colourOf(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function translucent(colour: string): string {
  return colour.replace('rgb(', 'rgba(').replace(')', ', 0.14)');
}
