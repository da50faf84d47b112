import { MessageFormats } from '../../../../src/adapters/outbound/hooks/message-formats.ts';
import { ampleRoom } from '../../../support/ample-room.ts';
import { queueNamed } from '../../../support/queue-named.ts';
import { claimOf } from '../../../contracts/queue-steps.ts';
import type { Application } from '../../../../src/application/application.ts';
import { operationCatalogue } from '../../../../src/application/operation-catalogue.ts';
import { Operations } from '../../../../src/application/operations/operations.ts';
import { AttemptReports } from '../../../../src/application/attempts/attempt-reports.ts';
import { KnownWorkers } from '../../../../src/application/kept/known-workers.ts';
import { BlockedJobs } from '../../../../src/application/jobs/blocked-jobs.ts';
import { JobClaims } from '../../../../src/application/pulls/job-claims.ts';
import { AttemptLog } from '../../../../src/application/attempts/attempt-log.ts';
import { RandomSecrets } from '../../../../src/infrastructure/random-secrets.ts';
import { RandomTokens } from '../../../../src/infrastructure/random-tokens.ts';
import { RepairCodes } from '../../../../src/application/jobs/repair-codes.ts';
import { Tickets } from '../../../../src/application/events/tickets.ts';
import { EventDigests } from '../../../../src/application/digests/event-digests.ts';
import { Events } from '../../../../src/application/events/events.ts';
import { Health } from '../../../../src/application/health/health.ts';
import { LetterOrigins } from '../../../../src/application/jobs/letter-origins.ts';
import { Redrives } from '../../../../src/application/jobs/redrives.ts';
import { BulkRepairs } from '../../../../src/application/jobs/bulk-repairs.ts';
import { Erasures } from '../../../../src/application/jobs/erasures.ts';
import { Failures } from '../../../../src/application/jobs/failures.ts';
import { JobActions } from '../../../../src/application/jobs/job-actions.ts';
import { JobWaits } from '../../../../src/application/jobs/job-waits.ts';
import { JobSearch } from '../../../../src/application/jobs/job-search.ts';
import { Jobs } from '../../../../src/application/jobs/jobs.ts';
import type { Attempt } from '../../../../src/domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../../../src/domain/attempts/ending.ts';
import { Flows } from '../../../../src/application/flows/flows.ts';
import { flowJobShape } from '../../../../src/domain/flows/flow.ts';
import type { AuditStorePort } from '../../../../src/application/ports/audit-store-port.ts';
import type { QueuePort } from '../../../../src/application/ports/queue-port.ts';
import type { QuotaPort } from '../../../../src/application/ports/quota-port.ts';
import type { RedactionPort } from '../../../../src/application/ports/redaction-port.ts';
import type { SystemPort } from '../../../../src/application/ports/system-port.ts';
import type { KeptWorkers } from '../../../../src/application/kept/workers.ts';
import type { JobEndingsPort } from '../../../../src/application/ports/job-endings-port.ts';
import { ClaimNotes } from '../../../../src/application/pulls/claim-notes.ts';
import { AttemptObservers } from '../../../../src/application/attempts/attempt-observers.ts';
import { FigureRecorder } from '../../../../src/application/figures/figure-recorder.ts';
import { Figures } from '../../../../src/application/figures/figures.ts';
import { RecentFailures } from '../../../../src/application/figures/recent-failures.ts';
import { FiguredQueues } from '../../../../src/application/queues/figured-queues.ts';
import { QueueNames } from '../../../../src/application/queues/queue-names.ts';
import { DemandView } from '../../../../src/application/queues/demand-view.ts';
import { QueueDemands } from '../../../../src/application/queues/queue-demands.ts';
import { ScalingDemands } from '../../../../src/application/queues/scaling-demands.ts';
import { QueueView } from '../../../../src/application/queues/queue-view.ts';
import { RecentQueueFigures } from '../../../../src/application/queues/recent-queue-figures.ts';
import type { StoreBackup } from '../../../../src/application/ports/store-backup-port.ts';
import type { StorePorts } from '../../../../src/application/store-ports.ts';
import { JobSteps } from '../../../../src/application/steps/job-steps.ts';
import { Signals } from '../../../../src/application/steps/signals.ts';
import { suspensionReader } from '../../../../src/application/steps/suspensions.ts';
import { StoreBackups } from '../../../../src/application/system/store-backups.ts';
import { System } from '../../../../src/application/system/system.ts';
import { BlockedQueues } from '../../../../src/application/queues/blocked-queues.ts';
import { Queues } from '../../../../src/application/queues/queues.ts';
import { WorkerHealthReader } from '../../../../src/application/workers/worker-health-reader.ts';
import { CallRecorder } from '../../../../src/application/calls/call-recorder.ts';
import { Groups } from '../../../../src/application/groups/groups.ts';
import { Workers } from '../../../../src/application/workers/workers.ts';
import { Audit } from '../../../../src/application/audit/audit.ts';
import { AccessTokens } from '../../../../src/application/access/access-tokens.ts';
import { RequestLimits } from '../../../../src/application/access/request-limits.ts';
import type { TokenLimits } from '../../../../src/domain/access/token-limits.ts';
import { WorkloadTokens } from '../../../../src/application/access/workload-tokens.ts';
import { JoseIssuerTokens } from '../../../../src/adapters/outbound/jwt/jose-issuer-tokens.ts';
import type { TokenIssuer } from '../../../../src/domain/access/token-issuer.ts';
import { Limits } from '../../../../src/application/limits/limits.ts';
import { SettingSets } from '../../../../src/application/policies/setting-sets.ts';
import { RightsLookups } from '../../../../src/application/access/rights-lookups.ts';
import { Sessions } from '../../../../src/application/access/sessions.ts';
import { SignIn } from '../../../../src/application/access/sign-in.ts';
import type { IdentityProviderPort } from '../../../../src/application/ports/identity-provider-port.ts';
import { Peers } from '../../../../src/adapters/inbound/exchange/peers.ts';
import { IssuedTokens } from '../../../../src/application/access/issued-tokens.ts';
import type { ConfiguredTokens } from '../../../../src/application/access/configured-tokens.ts';
import { IpNetworks } from '../../../../src/infrastructure/ip-networks.ts';
import { CountedAccessSecrets } from './counted-access-secrets.ts';
import type { DashboardMode } from '../../../../src/adapters/inbound/http/site/dashboard/dashboard-mode.ts';
import { environmentTokens } from '../../../../src/adapters/inbound/http/api/environment-tokens.ts';
import { createHttpApp } from '../../../../src/adapters/inbound/http/api/http-app.ts';
import { HttpServer } from '../../../../src/adapters/inbound/http/server/http-server.ts';
import type { HttpTimeouts } from '../../../../src/adapters/inbound/http/server/http-timeouts.ts';
import {
  AesSecretCipher,
  type EncryptionKey,
} from '../../../../src/adapters/outbound/encryption/aes-secret-cipher.ts';
import { Policies } from '../../../../src/application/policies/policies.ts';
import { UndiciWebhook } from '../../../../src/adapters/outbound/webhook/undici-webhook.ts';
import { CallMemory } from '../../../../src/adapters/outbound/webhook/call-memory.ts';
import { AddressGuard } from '../../../../src/adapters/outbound/webhook/guard/address-guard.ts';
import { ProcessHeap } from '../../../../src/adapters/shared/process-heap.ts';
import { WorkerCalls } from '../../../../src/application/workers/worker-calls.ts';
import { SealedCollection } from '../../../../src/application/secrets/sealed-collection.ts';
import { secretsOfWorkers } from '../../../../src/application/kept/workers.ts';
import {
  callbackSealing,
  destinationSealing,
  policySealing,
} from '../../../../src/application/callbacks/callback-sealing.ts';
import { Callbacks } from '../../../../src/application/callbacks/callbacks.ts';
import { DeliveryQueues } from '../../../../src/application/deliveries/delivery-queues.ts';
import { CalledOptions } from '../../../../src/application/destinations/called-options.ts';
import { Destinations } from '../../../../src/application/destinations/destinations.ts';
import { UnreachableOrigins } from '../../../../src/application/destinations/unreachable-origins.ts';
import { JobCallbacks } from '../../../../src/application/deliveries/job-callbacks.ts';
import { SECRETS_OF_HOOKS } from '../../../../src/application/kept/hooks.ts';
import { FailingHooks } from '../../../../src/application/hooks/failing-hooks.ts';
import { HookTest } from '../../../../src/application/hooks/hook-test.ts';
import { Hooks } from '../../../../src/application/hooks/hooks.ts';
import { StoredHooksInForce } from '../../../../src/application/hooks/hooks-in-force.ts';
import { DeliveriesInTest } from '../../../support/deliveries-in-test.ts';
import { Publishing } from '../../../../src/application/topics/publishing.ts';
import { Subscriptions } from '../../../../src/application/topics/subscriptions.ts';
import { TopicsInForce } from '../../../../src/application/topics/topics-in-force.ts';
import { Secrets } from '../../../../src/application/secrets/secrets.ts';
import { WorkerTest } from '../../../../src/application/workers/worker-test.ts';
import { CronCalendar } from '../../../../src/adapters/outbound/cron/cron-calendar.ts';
import { SchedulerRates } from '../../../../src/application/schedulers/scheduler-rates.ts';
import { Schedulers } from '../../../../src/application/schedulers/schedulers.ts';
import { MemorySignals } from '../../../../src/adapters/outbound/memory/ports/memory-signals.ts';
import { memoryStoreHealth } from '../../../../src/adapters/outbound/memory/ports/memory-store-health.ts';
import { queueName } from '../../../../src/domain/queues/queue-name.ts';
import { workerShape } from '../../../../src/domain/workers/worker.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { version } from '../../../../src/infrastructure/version.ts';
import { serviceStore, type KeptIn, type ServiceStore } from './service-store.ts';
import { messagesInTest } from '../../../support/messages-in-test.ts';
import { pushesInTest } from '../../../support/pushes-in-test.ts';
import { receivesOf } from '../../../support/receives-in-test.ts';
import { RecordingLogger } from './recording-logger.ts';

export const TOKEN = 'api-token';

/**
 * `ON_DISK=1 npm run test:file -- test/integration/http/…` runs all suites on the embedded store, `ON_POSTGRES=1` on
 * PostgreSQL.
 */
const ALL_IN = allIn();

function allIn(): KeptIn | undefined {
  if (process.env['ON_POSTGRES'] !== undefined) return 'postgres';
  return process.env['ON_DISK'] === undefined ? undefined : 'disk';
}

/** Bytes. */
export const MAX_RETURN_VALUE = 1_048_576;

const NAME = queueName({ min: 3, max: 100 });

/** A backup as the embedded store makes them, but for its content. */
const BACKUP: StoreBackup = {
  size: 6,
  pieces: async function* () {
    yield Buffer.from('SQLite');
    await Promise.resolve();
  },
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface RequestOptions {
  /** The API token by default; null for no token. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly redirect?: 'follow' | 'manual';
  /** A string is sent as is, anything else as JSON. */
  readonly body?: unknown;
}

interface ServiceOptions {
  readonly tokens?: readonly string[];
  /** Replaces those tokens. */
  readonly knownTokens?: ConfiguredTokens;
  /** Networks of trusted proxies. */
  readonly proxies?: readonly string[];
  readonly publicUrl?: string;
  readonly dashboard?: DashboardMode;
  readonly issuers?: readonly TokenIssuer[];
  /** Where people sign in; they cannot by default. */
  readonly identityProvider?: (clock: FakeClock, logger: RecordingLogger) => IdentityProviderPort;
  /** The limits of tokens without limits of their own. */
  readonly limits?: TokenLimits;
  readonly encryptionKeys?: readonly EncryptionKey[];
  /** The stored workers; none by default. */
  readonly keptWorkers?: KeptWorkers;
  readonly maxBodySize?: number;
  readonly maxJobsPerAdd?: number;
  readonly maxConnections?: number;
  readonly timeouts?: HttpTimeouts;
  /** Replaces the store in announcing the ends of jobs. */
  readonly endings?: JobEndingsPort;
  /** Where its store keeps its records; `memory` is for tests that reach into it, and as it is by default. */
  readonly keptIn?: KeptIn;
  /** Replaces parts of the application, to test how their failures are reported. */
  readonly replace?: Partial<Application>;
}

/** The HTTP adapter on a real port, with the real use cases over the in-memory store. */
export class HttpService {
  readonly clock = new FakeClock();
  readonly logger = new RecordingLogger();
  readonly fleet = { reconciled: true };
  readonly application: Application;
  /** The counts of calls, which a test makes up. */
  readonly calls: CallRecorder;
  /** The counts of jobs, which a test makes up too. */
  readonly figures: FigureRecorder;
  readonly view: QueueView;
  readonly issuedTokens: IssuedTokens;
  readonly sessions: Sessions;
  readonly sessionStore: StorePorts['sessions'];
  readonly quotas: QuotaPort;
  readonly auditStore: AuditStorePort;
  readonly redaction: RedactionPort;
  readonly queues: QueuePort;
  /** The registry of replicas, which a test makes up. */
  readonly systemStore: SystemPort;
  /** The messages of hooks, which a test makes up. */
  readonly deliveries = new DeliveriesInTest();
  readonly server: HttpServer;
  readonly #attempts: StorePorts['attempts'];
  readonly #webhook: UndiciWebhook;
  readonly #store: ServiceStore;
  #flows = 0;

  constructor(options: ServiceOptions = {}) {
    const { tokens = [TOKEN], maxBodySize = 10_000_000, replace, knownTokens } = options;
    const { proxies, publicUrl, limits = {}, issuers = [] } = options;
    const { maxConnections = 1000, maxJobsPerAdd = 10_000, timeouts } = options;
    const { keptIn } = options;
    const isFixed = keptIn === 'memory';
    this.#store = serviceStore(isFixed ? keptIn : (ALL_IN ?? keptIn ?? 'memory'), this.clock);
    const { ports } = this.#store;
    const { queues } = ports;
    this.auditStore = ports.audit;
    this.redaction = ports.redaction;
    this.queues = queues;
    this.quotas = ports.quotas;
    this.#attempts = ports.attempts;
    const { endings = ports.jobEndings } = options;
    const cipher = new AesSecretCipher(options.encryptionKeys ?? []);
    const keptHooks = ports.hooks;
    const { keptWorkers = ports.workers } = options;
    const ofWorkers = secretsOfWorkers(this.clock.now());
    const workers = new SealedCollection(keptWorkers, ofWorkers, cipher);
    const hookStore = new SealedCollection(keptHooks, SECRETS_OF_HOOKS, cipher);
    const keptSecrets = new Secrets([workers.secrets, hookStore.secrets], cipher);
    const signals = new MemorySignals();
    const calendar = new CronCalendar();
    const policies = new Policies({
      store: ports.policies,
      workers: ports.workers,
      sealing: policySealing(cipher),
      signals,
      calendar,
      clock: this.clock,
      logger: this.logger,
      secrets: new RandomSecrets(),
      limits: ports.limits,
      queueName: NAME,
    });
    const callbacks = new Callbacks({
      policies,
      sealing: callbackSealing(cipher),
      ofPolicies: policySealing(cipher),
      queueName: NAME,
    });
    const unreachable = new UnreachableOrigins(this.clock);
    const destinations = new Destinations(policies, destinationSealing(cipher), unreachable);
    const calledOptions = new CalledOptions(callbacks, destinations);
    const callFigures = ports.callFigures;
    const figures = ports.figures;
    const breakers = ports.breakers;
    this.calls = new CallRecorder(callFigures, 'here', this.clock, this.logger);
    const fleet = { reconcile: () => Promise.resolve() };
    const jobTokens = new RandomTokens();
    const inForce = new KnownWorkers(workers, this.logger);
    const registration = new Workers({
      store: workers,
      inForce,
      policies,
      signals,
      fleet,
      breakers,
      tokens: jobTokens,
      secrets: new RandomSecrets(),
      clock: this.clock,
      shape: workerShape(NAME),
    });
    this.figures = new FigureRecorder(figures, 'here', 'host:1', this.clock, this.logger);
    const observer = new AttemptObservers(new AttemptLog(this.logger, this.clock), this.figures);
    const parts = ports.jobParts;
    const jobs = new Jobs({
      queues,
      parts,
      attempts: this.#attempts,
      policies,
      calledOptions,
      workers: inForce,
      observer,
      maxJobsPerAdd,
    });
    const webhook = new UndiciWebhook({
      defaultTimeout: 5000,
      maxResponseSize: MAX_RETURN_VALUE,
      userAgent: 'jobgate/test',
      queuePrefix: 'bull',
      guard: new AddressGuard({ policy: 'any', allow: [], deny: [] }, this.logger),
      memory: new CallMemory(new ProcessHeap()),
      clock: this.clock,
    });
    this.#webhook = webhook;
    const standings = ports.queueStandings;
    const { limitUse } = ports;
    const blocked = new BlockedQueues({ standings, limitUse });
    const directory = ports.queueDirectory;
    const names = new QueueNames(directory, workers);
    const demands = new QueueDemands(ports.demand, inForce, policies);
    this.systemStore = ports.system;
    this.view = new QueueView(names, directory, inForce, policies, this.clock, 10_000);
    const events = new Events(ports.events, { gapsReported: () => undefined }, this.clock);
    const networks = new IpNetworks();
    const configured = knownTokens ?? environmentTokens(tokens, []);
    const issuedTokens = new IssuedTokens(ports, configured, networks, this.clock, this.logger);
    this.issuedTokens = issuedTokens;
    const secrets = new CountedAccessSecrets();
    const isServed = options.dashboard !== 'off';
    const provider = isServed ? options.identityProvider?.(this.clock, this.logger) : undefined;
    let tries = 0;
    this.sessionStore = ports.sessions;
    const { clock, logger } = this;
    this.sessions = new Sessions({
      store: ports.sessions,
      configured,
      issued: issuedTokens,
      lookups: new RightsLookups({ provider, store: ports.sessions, secrets, clock, logger }),
      secrets,
      clock,
    });
    const hooksInForce = new StoredHooksInForce(hookStore, signals, this.clock, this.logger);
    const hooks = new Hooks({
      store: hookStore,
      inForce: hooksInForce,
      deliveries: this.deliveries,
      secrets: new RandomSecrets(),
      clock: this.clock,
    });
    const jobSearch = new JobSearch(ports.jobScan, queues, parts, this.clock);
    const attemptReports = new AttemptReports({
      attempts: this.#attempts,
      queues,
      workers: inForce,
      observer,
      clock: this.clock,
    });
    const jobClaims = new JobClaims(
      {
        attempts: this.#attempts,
        workers: inForce,
        policies,
        tokens: new RandomTokens(),
        notes: new ClaimNotes(standings, this.clock),
        observer,
        clock: this.clock,
        logger: this.logger,
      },
      signals,
      30_000,
    );
    const { receives } = receivesOf({
      attempts: this.#attempts,
      queues,
      jobControl: ports.jobControl,
      claims: jobClaims,
      reports: attemptReports,
      policies,
      workers: inForce,
      observer,
      clock: this.clock,
    });
    const suspensions = suspensionReader({
      policies,
      workers: inForce,
      calledOptions,
      tokens: new RandomTokens(),
      queueName: NAME,
    });
    const topicsInForce = new TopicsInForce(ports.subscriptions, signals, this.clock);
    const recentFailures = new RecentFailures(figures, this.clock);
    const requestLimits = new RequestLimits(this.quotas, this.clock, limits);
    const useCases = {
      jobs,
      groups: new Groups({
        store: ports.groups,
        workers: inForce,
        policies,
        signals,
        clock: this.clock,
      }),
      jobWaits: new JobWaits(jobs, queues, endings, this.clock),
      steps: new JobSteps({ steps: ports.steps, holders: this.#attempts, suspensions, observer }),
      signals: new Signals(ports.jobSignals),
      jobCallbacks: new JobCallbacks(
        new DeliveryQueues({
          queues,
          parts,
          control: ports.jobControl,
          queueControl: ports.queueControl,
        }),
      ),
      receives,
      ...messagesInTest({
        policies,
        names,
        view: this.view,
        jobs,
        receives,
        queues,
        control: ports.jobControl,
        clock: this.clock,
        urlGroups: ports.urlGroups,
      }),
      attemptReports,
      jobClaims,
      flows: new Flows({
        flows: ports.flows,
        policies,
        calledOptions,
        workers: inForce,
        ids: { draw: () => `flow-${(this.#flows += 1)}` },
        observer,
        shape: flowJobShape(NAME),
      }),
      jobActions: new JobActions({
        control: ports.jobControl,
        queues,
        workers,
        policies,
        signals,
        flows: ports.flows,
        observer,
        clock: this.clock,
      }),
      blockedJobs: new BlockedJobs({
        steps: ports.steps,
        jobs,
        view: this.view,
        standings,
        limitUse,
        groups: ports.groups,
        policies,
      }),
      jobSearch,
      erasures: new Erasures({
        scan: ports.jobScan,
        control: ports.jobControl,
        erasure: ports.erasure,
        figures,
        callFigures,
        names,
        hooks: keptHooks,
        recorders: {
          forget: (queue) => {
            this.calls.forget(queue);
            this.figures.forget(queue);
            recentFailures.forget();
          },
        },
        signals,
        clock: this.clock,
      }),
      bulkRepairs: new BulkRepairs({
        scan: ports.jobScan,
        control: ports.jobControl,
        workers,
        signals,
        observer,
        clock: this.clock,
      }),
      redrives: new Redrives({
        scan: ports.jobScan,
        queues,
        control: ports.jobControl,
        observer,
        clock: this.clock,
      }),
      letterOrigins: new LetterOrigins(ports.jobScan),
      failures: new Failures(ports.jobScan, queues),
      recentFailures,
      figures: new Figures(figures, this.figures, this.view, this.clock),
      figuredQueues: new FiguredQueues({
        names,
        view: this.view,
        figures: new RecentQueueFigures(figures),
        blocked,
        breakers,
        clock: this.clock,
      }),
      scalingDemands: new ScalingDemands(demands, new DemandView(names, demands, this.clock)),
      queues: new Queues({
        control: ports.queueControl,
        jobs: ports.jobControl,
        scan: ports.jobScan,
        names,
        view: this.view,
        standings,
        blocked,
        workers,
        registration,
        signals,
        policies,
        clock: this.clock,
      }),
      tickets: new Tickets(ports.tickets, new RandomTokens(), this.clock),
      repairCodes: new RepairCodes(ports.repairCodes, new RandomTokens()),
      events,
      digests: new EventDigests(events, this.view, blocked, this.clock),
      audit: new Audit(this.auditStore, new RandomTokens(), this.clock, this.logger),
      issuedTokens,
      sessions: this.sessions,
      signIn: new SignIn({
        ...{ provider, signInTries: ports.signInTries, publicUrl: publicUrl ?? '' },
        tokens: { draw: () => `try-${(tries += 1)}` },
      }),
      workloadTokens: new WorkloadTokens(
        new JoseIssuerTokens(issuers, this.clock, this.logger),
        this.clock,
      ),
      requestLimits,
      accessTokens: new AccessTokens({
        accessTokens: ports.accessTokens,
        tokenUses: ports.tokenUses,
        issued: issuedTokens,
        secrets,
        networks,
        configured,
        clock: this.clock,
      }),
      workers: registration,
      workerCalls: new WorkerCalls(figures, this.figures, workers),
      workerTest: new WorkerTest({
        workers,
        webhook,
        tokens: jobTokens,
        clock: this.clock,
        suspensions,
      }),
      workerHealth: new WorkerHealthReader({
        store: workers,
        inForce,
        breakers,
        directory,
        figures: callFigures,
        standings,
        recorder: this.calls,
        clock: this.clock,
      }),
      hooks,
      hookTest: new HookTest({
        hooks,
        webhook,
        tokens: jobTokens,
        formats: new MessageFormats(publicUrl),
        clock: this.clock,
      }),
      policies,
      schedulers: new Schedulers({
        schedulers: ports.schedulers,
        queues,
        calendar,
        directory,
        workers,
        policies,
        calledOptions,
        rates: new SchedulerRates({
          schedulers: ports.schedulers,
          directory,
          limits: requestLimits,
          calendar,
          clock: this.clock,
        }),
        observer,
        clock: this.clock,
      }),
      subscriptions: new Subscriptions({
        subscriptions: ports.subscriptions,
        topicsInForce,
        policies,
        calledOptions,
      }),
      publishing: new Publishing({
        topics: ports.topics,
        topicsInForce,
        policies,
        workers: inForce,
        calledOptions,
        tokens: new RandomTokens(),
        observer,
        clock: this.clock,
        maxJobsPerAdd,
      }),
      settingSets: new SettingSets(ports.settingSets),
      limits: new Limits({ limits: ports.limits, limitUse, policies, signals }),
      system: new System(
        { instance: 'host:1', version: version(), startedAt: this.clock.now() },
        this.systemStore,
        names,
        keptSecrets,
        new FailingHooks(hooksInForce, this.deliveries, this.clock),
        this.clock,
        10_000,
      ),
      storeBackups: new StoreBackups({ backUp: () => Promise.resolve(BACKUP) }),
      secrets: keptSecrets,
      health: new Health(memoryStoreHealth(ampleRoom), this.fleet),
      metrics: { contentType: 'text/plain', read: () => Promise.resolve('up 1\n') },
      ...replace,
    };
    this.application = {
      ...useCases,
      ...pushesInTest(ports, useCases, {
        policies,
        workers: inForce,
        workerStore: workers,
        view: this.view,
        registration,
        destinations,
        queueName: NAME,
        clock: this.clock,
      }),
    };
    const settings = {
      tokens: configured,
      peers: new Peers({
        publicUrl,
        isProxy: proxies && ((address) => networks.isWithin(address, proxies)),
      }),
      maxBodySize,
      queueName: NAME,
      exchanges: { ended: () => undefined },
      dashboard: { mode: options.dashboard ?? 'on', signsIn: provider !== undefined },
      version: version(),
    };
    this.server = new HttpServer(
      createHttpApp(
        {
          application: this.application,
          catalogue: operationCatalogue(this.application, {
            queuePrefix: 'bull',
            queueName: NAME,
            maxReturnValue: MAX_RETURN_VALUE,
          }),
          operations: new Operations({
            audit: this.application.audit,
            clock: this.clock,
            logger: this.logger,
          }),
        },
        this.logger,
        settings,
      ),
      { port: 0, maxConnections, drainTime: 0, ...(timeouts && { timeouts }) },
      this.logger,
    );
  }

  async start(): Promise<this> {
    await this.#store.open();
    await this.server.start();
    return this;
  }

  async stop(): Promise<void> {
    await Promise.all([this.server.stop(AbortSignal.abort()), this.#webhook.close()]);
    await this.#store.close();
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { token = TOKEN, headers, body, redirect = 'follow' } = options;
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(token !== null && { Authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { body: asBody(body) }),
      redirect,
    });
    const text = await textOf(response);
    await this.#store.written();
    return { status: response.status, headers: response.headers, text };
  }

  /** Takes a job as a worker would, which reveals its token. */
  async claim(queue: string): Promise<Attempt> {
    const claim = await this.#attempts.claim(
      queueNamed(queue),
      claimOf({ concurrency: 10, lockDuration: 30_000 }),
    );
    if (claim.kind !== 'attempt') throw new Error(`There is no job in ${queue}`);
    return claim.attempt;
  }

  /** Ends an attempt as a worker would. */
  async settle(queue: string, attempt: Attempt, ending: AttemptEnding): Promise<void> {
    await this.#attempts.settle(queueNamed(queue), attempt, ending);
    await this.#store.written();
  }
}

/** The beginning of an open-ended answer. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const beginning = await reader?.read();
  await reader?.cancel();
  return beginning?.value ?? '';
}

function asBody(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}
