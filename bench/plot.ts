import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison, Result } from './report.ts';

/*
 * Draws the comparisons of a bench run as bars: tsx bench/plot.ts results.json docs/performance
 */
const [source = '', folder = '.'] = process.argv.slice(2);
const { node, results } = JSON.parse(readFileSync(source, 'utf8')) as {
  node: string;
  results: Result[];
};
const major = node.replace(/^v(\d+).*/, 'node-$1');

const WIDTH = 720;
const LEFT = 250;
const ROW = 34;
const TOP = 44;
const BAR = WIDTH - LEFT - 150;

for (const result of results) {
  if (!('rows' in result)) continue;
  const name = result.scenario.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const file = join(folder, `${name}-${major}.svg`);
  writeFileSync(file, chart(result));
  console.log(file);
}

function chart({ scenario, unit, rows }: Comparison): string {
  const most = Math.max(...rows.map(({ perSecond }) => perSecond));
  const bars = rows.map(({ name, perSecond, ratio }, index) => {
    const y = TOP + index * ROW;
    const width = Math.max(1, Math.round((perSecond / most) * BAR));
    const fill = index === 0 ? '#9aa4b2' : '#2f6fde';
    return `  <text x="${LEFT - 10}" y="${y + 17}" text-anchor="end">${escape(name)}</text>
  <rect x="${LEFT}" y="${y}" width="${width}" height="24" rx="2" fill="${fill}"/>
  <text x="${LEFT + width + 8}" y="${y + 17}">${perSecond.toLocaleString('en')} ${unit} (${ratio.toFixed(2)})</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${TOP + rows.length * ROW + 10}" font-family="sans-serif" font-size="13" fill="#1c2430">
  <rect width="100%" height="100%" fill="#ffffff"/>
  <text x="16" y="26" font-size="15" font-weight="bold">${escape(scenario)}, ${node}</text>
${bars.join('\n')}
</svg>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
