// `npm run audit`: known vulnerabilities of all packages, those of the tests included. It fails for any, and when
// nothing could be found out; a registry that offers no such list is no failure, and is named.
import { spawnSync } from 'node:child_process';
import process from 'node:process';

/** What a registry without advisories answers. */
const NOT_OFFERED = [404, 405, 501];

const { stdout } = spawnSync('npm', ['audit', '--json'], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
  maxBuffer: 64 * 1024 * 1024,
});
const report = parsed(stdout);

if (report.auditReportVersion !== undefined) {
  const findings = Object.values(report.vulnerabilities);
  for (const { name, severity, via } of findings) {
    const titles = via.map((each) => (typeof each === 'string' ? `by ${each}` : each.title));
    process.stdout.write(`${severity}: ${name}: ${titles.join('; ')}\n`);
  }
  process.stdout.write(`Known vulnerabilities: ${findings.length}\n`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} else if (NOT_OFFERED.includes(report.statusCode)) {
  process.stdout.write('The registry offers no audit: no vulnerability was looked for\n');
} else {
  process.stderr.write(`The audit failed: ${report.message ?? stdout}\n`);
  process.exitCode = 1;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
