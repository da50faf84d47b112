import { readFileSync } from 'node:fs';
import { ConfigError } from './config/config-error.ts';
import type { Config } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import { helpText } from './help.ts';
import { stopOnSignals } from './lifecycle/process-signals.ts';
import { startService } from './service.ts';
import { version } from './version.ts';

function readConfig(): Config {
  return loadConfig(process.env, {
    readFile: (path) => readFileSync(path, 'utf8'),
    isTerminal: process.stdout.isTTY,
  });
}

async function serve(): Promise<void> {
  const config = readConfig();
  const service = await startService(config);
  stopOnSignals({ stop: () => service.stop(), timeout: config.shutdownTimeout }, service.logger);
  service.logger.info('jobgate is listening', {
    port: service.port,
    store: config.store.kind,
    version: version(),
  });
}

/** What a person who starts it by hand should read, without a stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError)
    return `${error.message}\nRun with --help to see all variables.`;
  return `jobgate could not start: ${error instanceof Error ? error.message : String(error)}`;
}

const [argument] = process.argv.slice(2);
if (argument === '--help' || argument === '-h') {
  process.stdout.write(helpText());
} else if (argument === '--version') {
  process.stdout.write(`${version()}\n`);
} else if (argument !== undefined) {
  process.stderr.write(
    `Unknown argument ${argument}. Everything is set by environment variables: --help\n`,
  );
  process.exitCode = 1;
} else {
  serve().catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  });
}
