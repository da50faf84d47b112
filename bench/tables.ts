import { readFileSync } from 'node:fs';
import type { Comparison, Figure, Figures, Result } from './report.ts';

/*
 * Writes the results of a bench run as the tables of docs/performance/node-*.md: tsx bench/tables.ts results.json
 */
const [source = ''] = process.argv.slice(2);
const { node, results } = JSON.parse(readFileSync(source, 'utf8')) as {
  node: string;
  results: Result[];
};

const tables = results.map((found) => ('rows' in found ? comparison(found) : quantities(found)));
console.log([`## Node ${node.replace(/^v(\d+).*/, '$1')}`, ...tables].join('\n\n'));

function comparison({ scenario, unit, rows }: Comparison): string {
  const cells = rows.map(({ name, perSecond, lowest, highest, service, store, ratio, target }) => [
    name,
    perSecond.toLocaleString('en'),
    `${lowest.toLocaleString('en')} .. ${highest.toLocaleString('en')}`,
    service === undefined ? '' : `${service} µs`,
    store === undefined ? '' : `${store} µs`,
    ratio.toFixed(2),
    target === undefined ? '' : `at least ${target}`,
  ]);
  const head = ['', `${unit} (median)`, 'lowest .. highest', 'service', 'Redis', 'ratio', 'aim'];
  return table(scenario, head, cells);
}

function quantities({ scenario, figures }: Figures): string {
  const cells = figures.map((figure) => {
    const { name, value, lowest, highest, unit } = figure;
    const range = lowest === highest ? '' : `${lowest} .. ${highest}`;
    return [name, `${value} ${unit}`.trim(), range, aim(figure)];
  });
  return table(scenario, ['', 'median', 'lowest .. highest', 'aim'], cells);
}

function aim({ most, least }: Figure): string {
  return [
    ...(most === undefined ? [] : [`at most ${most}`]),
    ...(least === undefined ? [] : [`at least ${least}`]),
  ].join(', ');
}

/** Columns in which no row has anything are left out. */
function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const kept = head.map((_, column) => column === 0 || rows.some((row) => row[column] !== ''));
  const line = (cells: readonly string[]): string =>
    `| ${cells.filter((_, column) => kept[column]).join(' | ')} |`;
  return [`**${title}**\n`, line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
