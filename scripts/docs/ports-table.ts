import { ports, type Port } from './ports.ts';

/** The ports of the application as a table in Markdown, for a page in `docs`. */
export function portsTable(): string {
  const rows = ports().map(
    (port) =>
      `| [\`${port.name}\`](../${port.path}) | ${port.purpose ?? ''} | ${contractOf(port)} |`,
  );
  return ['| Port | What it does | Contract |', '| --- | --- | --- |', ...rows].join('\n');
}

function contractOf({ contract, reason = '' }: Port): string {
  return contract === undefined ? reason : `[suite](../${contract})`;
}
