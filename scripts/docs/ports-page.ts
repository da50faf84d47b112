import { ports, type Port } from './ports.ts';

/** The ports of the application, as a page in a folder of `docs`. */
export function portsPage(): string {
  const rows = ports().map(
    (port) =>
      `| [\`${port.name}\`](../../${port.path}) | ${port.purpose ?? ''} | ${contractOf(port)} |`,
  );
  return [
    '# The ports of the application',
    '',
    '`npm run docs` writes this page from [their sources](../architecture.md#the-ports).',
    '',
    '| Port | What it does | Contract |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function contractOf({ contract, reason = '' }: Port): string {
  return contract === undefined ? reason : `[suite](../../${contract})`;
}
