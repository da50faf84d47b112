import type { ResolutionContext, ServiceIdentifier } from 'inversify';
import type { ExchangeObserver } from '../../adapters/inbound/exchange/exchange-observer.ts';
import type { HttpServer } from '../../adapters/inbound/http/server/http-server.ts';
import type { ConfiguredTokens } from '../../application/access/configured-tokens.ts';
import type { Application } from '../../application/application.ts';
import type { HooksOfEndings } from '../../application/hooks/hooks-of-endings.ts';
import type { AccessSecretPort } from '../../application/ports/access-secret-port.ts';
import type { AttemptObserver } from '../../application/ports/attempt-observer.ts';
import type { CalendarPort } from '../../application/ports/calendar-port.ts';
import type { ClockPort } from '../../application/ports/clock-port.ts';
import type { DeliveryObserver } from '../../application/ports/delivery-observer.ts';
import type { EventObserver } from '../../application/ports/event-observer.ts';
import type { IssuerTokenPort } from '../../application/ports/issuer-token-port.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { IdentityProviderPort } from '../../application/ports/identity-provider-port.ts';
import type { HookFormatPort } from '../../application/ports/hook-format-port.ts';
import type { MessageIdPort } from '../../application/ports/message-id-port.ts';
import type { MetricsPort } from '../../application/ports/metrics-port.ts';
import type { NetworkPort } from '../../application/ports/network-port.ts';
import type { PushFormatPort } from '../../application/ports/push-format-port.ts';
import type { ReplicaSignalsPort } from '../../application/ports/replica-signals-port.ts';
import type { SecretCipherPort } from '../../application/ports/secret-cipher-port.ts';
import type { SecretPort } from '../../application/ports/secret-port.ts';
import type { StoreBackupPort } from '../../application/ports/store-backup-port.ts';
import type { StoreHealthPort } from '../../application/ports/store-health-port.ts';
import { STORE_NATURES, type StorePorts } from '../../application/store-ports.ts';
import type { TokenPort } from '../../application/ports/token-port.ts';
import type { TracingPort } from '../../application/ports/tracing-port.ts';
import type { WebhookPort } from '../../application/ports/webhook-port.ts';
import type { Startable } from '../../application/running/startable.ts';
import type { SignInSettings } from '../../domain/access/sign-in.ts';
import type { AccessTokensOfFile } from '../access-tokens-of-file.ts';
import type { Composition } from '../composition/compose-application.ts';
import type { Supervisor } from '../lifecycle/supervisor.ts';
import type { WatchedFile } from '../watched-file.ts';

type TokensOf<Parts> = { readonly [Name in keyof Parts]: ServiceIdentifier<Parts[Name]> };

type PartsOf<Tokens> = {
  readonly [Name in keyof Tokens]: Tokens[Name] extends ServiceIdentifier<infer Part>
    ? Part
    : never;
};

/** Creates a token. Tokens that only one module uses are created in that module. */
export function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}

/** The tokens of the ports of a store, which have the names of the ports. */
export const storePortTokens = Object.fromEntries(
  Object.keys(STORE_NATURES).map((name) => [name, token(name)]),
) as TokensOf<StorePorts>;

/** The tokens of all ports that the use cases are composed of. */
export const portTokens = {
  ...storePortTokens,
  clock: token<ClockPort>('clock'),
  logger: token<LoggerPort>('logger'),
  calendar: token<CalendarPort>('calendar'),
  tokens: token<TokenPort>('tokens'),
  secrets: token<SecretPort>('secrets'),
  accessSecrets: token<AccessSecretPort>('access secrets'),
  networks: token<NetworkPort>('networks'),
  pushFormats: token<PushFormatPort>('push formats'),
  messageIds: token<MessageIdPort>('message ids'),
  cipher: token<SecretCipherPort>('secret cipher'),
  configured: token<ConfiguredTokens>('configured tokens'),
  /** Undefined when no issuers are configured. */
  issuerTokens: token<IssuerTokenPort | undefined>('issuer tokens'),
  /** Undefined where nobody signs in. */
  identityProvider: token<IdentityProviderPort | undefined>('identity provider'),
  webhook: token<WebhookPort>('webhook'),
  formats: token<HookFormatPort>('hook formats'),
  /** Undefined when no traces are exported. */
  tracing: token<(TracingPort & Startable) | undefined>('tracing'),
  eventObserver: token<EventObserver>('event observer'),
  deliveryObserver: token<DeliveryObserver>('delivery observer'),
  signals: token<ReplicaSignalsPort>('replica signals'),
  storeHealth: token<StoreHealthPort>('store health'),
  /** Undefined for a store that is no file. */
  storeBackup: token<StoreBackupPort | undefined>('store backup'),
  /** The hooks that stores ask for as jobs end. */
  hooksOfQueues: token<HooksOfEndings>('hooks of queues'),
};

/** The ports that the use cases are composed of. Stores have the secrets of workers, hooks and policies sealed. */
export type Ports = PartsOf<typeof portTokens>;

/** The parts that modules share: ports, adapters that run, and the application. */
export const tokens = {
  ...portTokens,
  /** Bound as often as there are observers besides those of the application. */
  attemptObserver: token<AttemptObserver>('attempt observer'),
  composition: token<Composition>('composition'),
  application: token<Application>('application'),
  metrics: token<MetricsPort>('metrics'),
  exchangeObserver: token<ExchangeObserver>('exchange observer'),
  /** The parts that must start before all others for the store to work. */
  store: token<Startable>('store'),
  /** What must be taken before the service listens, while the store is read; undefined for a store that is not read. */
  storeFolder: token<Startable | undefined>('folder of the store'),
  clockWatch: token<Startable>('watch of the clock'),
  tokensOfFile: token<AccessTokensOfFile | undefined>('tokens of the file'),
  signInFile: token<WatchedFile<SignInSettings> | undefined>('file of the sign-in'),
  webhookConnections: token<Startable>('webhook connections'),
  /** Undefined unless METRICS_PORT is set. */
  metricsServer: token<HttpServer | undefined>('metrics server'),
  httpServer: token<HttpServer>('http server'),
  supervisor: token<Supervisor>('supervisor'),
};

/** The parts of the tokens in a record, under the same names. */
export function resolve<Tokens extends Readonly<Record<string, ServiceIdentifier>>>(
  context: Pick<ResolutionContext, 'get'>,
  wanted: Tokens,
): PartsOf<Tokens> {
  const parts = Object.entries(wanted).map(([name, each]) => [name, context.get(each)]);
  return Object.fromEntries(parts) as PartsOf<Tokens>;
}
