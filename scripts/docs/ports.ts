import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

const PORTS = 'src/application/ports';

/** Why a port has no contract suite. Each has one adapter, or adapters that have nothing to keep in common. */
const WITHOUT_CONTRACT: Readonly<Record<string, string>> = {
  AttemptObserver: 'none: each observer does something else with what it receives',
  DeliveryObserver: 'none: [one adapter](../../test/unit/prometheus/hook-deliveries.test.ts)',
  EventObserver: 'none: [one adapter](../../test/integration/metrics.test.ts)',
  CalendarPort: 'none: [one adapter](../../test/unit/cron/cron-calendar.test.ts)',
  AccessSecretPort:
    'none: [one adapter](../../test/unit/infrastructure/random-access-secrets.test.ts)',
  JobSignalPort: '[that of `StepPort`](../../test/contracts/step-port.contract.ts)',
  HookFormatPort: 'none: [one adapter](../../test/unit/hooks/message-formats.test.ts)',
  IdentityProviderPort: 'none: [one adapter](../../test/integration/http/sign-in.test.ts)',
  IssuerTokenPort: 'none: [one adapter](../../test/integration/http/workload-tokens.test.ts)',
  NativeTurnPort:
    'none: [one of them](../../test/integration/redis/native-groups.test.ts) has native clients at all',
  NetworkPort: 'none: [one adapter](../../test/unit/infrastructure/ip-networks.test.ts)',
  ClockPort: 'none: [one adapter](../../test/unit/infrastructure/system-clock.test.ts)',
  LoggerPort: 'none: [one adapter](../../test/unit/winston-logger.test.ts)',
  MessageIdPort: 'none: [one adapter](../../test/unit/infrastructure/uuid-message-ids.test.ts)',
  MetricsPort: 'none: [one adapter](../../test/unit/prometheus/prometheus-metrics.test.ts)',
  PushFormatPort: 'none: [one adapter](../../test/integration/qstash/publish.test.ts)',
  SecretCipherPort: 'none: [one adapter](../../test/unit/encryption/aes-secret-cipher.test.ts)',
  SecretPort: 'none: [one adapter](../../test/integration/http/signing.test.ts)',
  StoreBackupPort: 'none: [one adapter](../../test/e2e/embedded-backup.test.ts)',
  TracingPort: 'none: [one adapter](../../test/integration/traces.test.ts)',
  TokenPort: 'none: [one adapter](../../test/contracts/attempts/tokens.ts)',
};

/** An interface through which the application reaches what is outside of it. Paths are from the root. */
export interface Port {
  readonly name: string;
  readonly path: string;
  /** What it does: the first sentence of its doc comment, undefined when it has none. */
  readonly purpose: string | undefined;
  readonly adapters: readonly Adapter[];
  /** Its suite in `test/contracts`, if there is one. */
  readonly contract: string | undefined;
  /** Why it has no suite, in Markdown. */
  readonly reason: string | undefined;
}

export interface Adapter {
  readonly name: string;
  readonly path: string;
}

/** All ports, by name. */
export function ports(): readonly Port[] {
  const classes = implementations();
  const files = readdirSync(join(ROOT, PORTS)).map((file) => `${PORTS}/${file}`);
  return files.flatMap((path) =>
    [...read(path).matchAll(/^export interface (\w+(?:Port|Observer))\b/gm)].map(([, name = '']) =>
      portOf(name, path, classes),
    ),
  );
}

function portOf(name: string, path: string, classes: readonly Implementation[]): Port {
  const contract = path.replace(PORTS, 'test/contracts').replace(/\.ts$/, '.contract.ts');
  return {
    name,
    path,
    purpose: purposeOf(name, read(path)),
    adapters: classes.filter((each) => each.ports.includes(name)),
    contract: existsSync(join(ROOT, contract)) ? contract : undefined,
    reason: WITHOUT_CONTRACT[name],
  };
}

function purposeOf(name: string, source: string): string | undefined {
  const before = source.slice(0, source.indexOf(`export interface ${name}`));
  const [, comment] = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*$/.exec(before) ?? [];
  const text = comment?.replace(/\s*\n \* ?/g, ' ').trim();
  return text?.split(/(?<=\.)\s/)[0];
}

interface Implementation extends Adapter {
  readonly ports: readonly string[];
}

/** Classes that implement something, and the functions of stores that make a port. */
const IMPLEMENTATION =
  /^export (?:class (\w+)[^{]* implements ([^\n]+)|function ((?:memory|embedded|postgres)\w+)(?:<[^()]*>)?\([^{}]*?\): ([^\n{}]+)) \{$/gm;

function implementations(): readonly Implementation[] {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const paths = sources.filter((name) => name.endsWith('.ts')).map((name) => `src/${name}`);
  return paths.sort().flatMap((path) =>
    [...read(path).matchAll(IMPLEMENTATION)].map(([, className, implemented, maker, made]) => ({
      name: className ?? maker ?? '',
      path,
      ports: (implemented ?? made ?? '').replaceAll(/<[^>]*>/g, '').split(/, | & /),
    })),
  );
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
