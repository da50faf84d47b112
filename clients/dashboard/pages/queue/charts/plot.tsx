import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type UPlot from 'uplot';
import { LoadedLater } from '../../../api/loaded-later.ts';
import { clockTime, dateAndTime } from '../../../format/time.tsx';
import type { Line, PlotOptions } from './draw-plot.ts';

const drawing = new LoadedLater(() => import('./draw-plot.ts'));

/** Lines over time. Dragging across them selects a period. */
export function Plot({
  times,
  lines,
  options,
}: {
  /** The start of each step, epoch seconds. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly options: Omit<PlotOptions, 'timeText' | 'dayText'>;
}): VNode {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  const data = [times, ...lines.map(({ values }) => values)] as UPlot.AlignedData;
  const latest = useRef(data);
  latest.current = data;
  const draw = drawing.value?.drawPlot;

  useEffect(() => {
    const element = place.current;
    if (element === null || draw === undefined) return;
    const redraw = (): void => {
      plot.current?.destroy();
      plot.current = draw(element, latest.current, lines, {
        ...options,
        timeText: (at) => clockTime(at).slice(0, 5),
        dayText: (at) => dateAndTime(at).slice(5, 10),
      });
    };
    // Lines are painted on a canvas, so they do not follow the stylesheet by themselves.
    const themes = new MutationObserver(redraw);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', redraw);
    const sizes = new ResizeObserver(() => {
      plot.current?.setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    sizes.observe(element);
    redraw();
    return () => {
      themes.disconnect();
      dark.removeEventListener('change', redraw);
      sizes.disconnect();
      plot.current?.destroy();
    };
  }, [draw]);

  useEffect(() => plot.current?.setData(data), [times, lines]);

  return <div ref={place} class="plot" aria-hidden="true" />;
}
