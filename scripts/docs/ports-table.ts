import { ports, type Port } from './ports.ts';

/** The ports of the application as a table in Markdown, for a page in `docs`. */
export function portsTable(): string {
  const rows = ports().map(
    (port) =>
      `| ${link(port.name, port.path)} | ${port.purpose ?? ''} | ${adaptersOf(port)} | ${contractOf(port)} |`,
  );
  return [
    '| Port | What it does | Adapters | Contract |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function adaptersOf({ adapters }: Port): string {
  return adapters.map(({ name, path }) => link(name, path)).join(', ');
}

function contractOf({ contract, reason = '' }: Port): string {
  return contract === undefined ? reason : `[suite](../${contract})`;
}

function link(name: string, path: string): string {
  return `[\`${name}\`](../${path})`;
}
