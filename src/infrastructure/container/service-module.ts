import type { RequestListener } from 'node:http';
import { ContainerModule } from 'inversify';
import { AccessTokensOfFile } from '../access-tokens-of-file.ts';
import { IpNetworks } from '../ip-networks.ts';
import { RandomAccessSecrets } from '../random-access-secrets.ts';
import { joinedTokens } from '../../adapters/inbound/http/api/joined-tokens.ts';
import { environmentTokens } from '../../adapters/inbound/http/api/environment-tokens.ts';
import { createHttpApp } from '../../adapters/inbound/http/api/http-app.ts';
import { Peers } from '../../adapters/inbound/http/messages/peers.ts';
import { isSqsPath, SQS_PATH } from '../../adapters/inbound/sqs/fields/queue-url.ts';
import { HttpServer } from '../../adapters/inbound/http/server/http-server.ts';
import { operationCatalogue } from '../../application/operation-catalogue.ts';
import { Operations } from '../../application/operations/operations.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import { Rounds, type RepeatedWork } from '../../application/running/rounds.ts';
import type { Startable } from '../../application/running/startable.ts';
import { queueName } from '../../domain/queues/queue-name.ts';
import type { Config } from '../config/config.ts';
import { ClockWatch } from '../lifecycle/clock-watch.ts';
import { Supervisor } from '../lifecycle/supervisor.ts';
import { RandomSecrets } from '../random-secrets.ts';
import { RandomTokens } from '../random-tokens.ts';
import { CronCalendar } from '../../adapters/outbound/cron/cron-calendar.ts';
import { SystemClock } from '../system-clock.ts';
import { version } from '../version.ts';
import { tokens } from './tokens.ts';

/** Has one listener answer at the paths of Amazon SQS, and another one everywhere else. */
function bySqsPath(sqs: RequestListener, others: RequestListener): RequestListener {
  return (request, response) => {
    const { url = '' } = request;
    const isSqs = url.startsWith(SQS_PATH) && isSqsPath(url.split('?', 1)[0] ?? '');
    if (isSqs) sqs(request, response);
    else others(request, response);
  };
}

/** The parts around the use cases: log, clock, HTTP, and the order of the start. */
export function serviceModule(config: Config, logger: LoggerPort): ContainerModule {
  const { auth, dashboard, http, queues, sqs, webhook, shutdownTimeout } = config;
  return new ContainerModule(({ bind }) => {
    const systemClock = new SystemClock();
    bind(tokens.clockPort).toConstantValue(systemClock);
    bind(tokens.calendarPort).toConstantValue(new CronCalendar());
    bind(tokens.tokenPort).toConstantValue(new RandomTokens());
    bind(tokens.secretPort).toConstantValue(new RandomSecrets());
    bind(tokens.accessSecretPort).toConstantValue(new RandomAccessSecrets());
    bind(tokens.networkPort).toConstantValue(new IpNetworks());
    bind(tokens.tokensOfFile).toResolvedValue(
      (networks, clock, logger) =>
        auth.file === undefined
          ? undefined
          : new AccessTokensOfFile(auth.file, networks, clock, logger),
      [tokens.networkPort, tokens.clockPort, tokens.loggerPort],
    );
    bind(tokens.configuredTokens).toResolvedValue(
      (ofFile) => {
        const environment = environmentTokens(auth.tokens, auth.digests);
        return ofFile === undefined ? environment : joinedTokens([environment, ofFile]);
      },
      [tokens.tokensOfFile],
    );
    bind(tokens.loggerPort).toConstantValue(logger);
    bind(tokens.operationCatalogue).toResolvedValue(
      (application) => operationCatalogue(application, queues.prefix),
      [tokens.application],
    );
    bind(tokens.operations).toResolvedValue(
      ({ audit }, clock, logger) => new Operations({ audit, clock, logger }),
      [tokens.application, tokens.clockPort, tokens.loggerPort],
    );
    bind(tokens.peers).toResolvedValue(
      (networks) =>
        new Peers({
          publicUrl: webhook.publicUrl,
          isProxy:
            auth.proxies.length === 0
              ? undefined
              : (address) => networks.isWithin(address, auth.proxies),
        }),
      [tokens.networkPort],
    );
    bind(tokens.httpApp).toResolvedValue(
      (application, catalogue, operations, logger, exchanges, configured, peers) =>
        createHttpApp({ application, catalogue, operations }, logger, {
          tokens: configured,
          peers,
          hasOneToken: configured.all.length === 1,
          maxBodySize: http.maxBodySize,
          queueName: queueName(queues.nameLimits),
          maxReturnValue: webhook.maxResponseSize,
          exchanges,
          dashboard,
          version: version(),
        }),
      [
        tokens.application,
        tokens.operationCatalogue,
        tokens.operations,
        tokens.loggerPort,
        tokens.exchangeObserver,
        tokens.configuredTokens,
        tokens.peers,
      ],
    );
    bind(tokens.httpServer).toResolvedValue(
      (app, sqs, logger) => new HttpServer(bySqsPath(sqs, app), http, logger),
      [tokens.httpApp, tokens.sqsListener, tokens.loggerPort],
    );
    bind(tokens.supervisor).toResolvedValue(
      (
        folder,
        store,
        tracing,
        metrics,
        webhook,
        policies,
        hooks,
        keys,
        issued,
        sessions,
        ofFile,
        calls,
        figures,
        sampler,
        demands,
        reports,
        dataWatch,
        sweep,
        overdue,
        expiry,
        ended,
        payloads,
        erased,
        native,
        conditions,
        deliveries,
        mover,
        retention,
        fleet,
        server,
        clock,
        logger,
      ) => {
        // Reading a store takes a while, in which probes are answered.
        const port = {
          name: 'port',
          start: () => server.listen(),
          stop: (deadline: AbortSignal) => server.stop(deadline),
        };
        const listening = folder === undefined ? [] : [folder, port];
        // These start early and stop late, so that metrics and traces cover the start and the shutdown.
        const early = [store, tracing, metrics].filter((part) => part !== undefined);
        const repeated = (...works: readonly RepeatedWork[]): readonly Startable[] =>
          works.map((work) => new Rounds(work, clock, logger));
        const parts = [
          new ClockWatch(systemClock, logger),
          ...listening,
          ...early,
          ...repeated(...(ofFile === undefined ? [] : [ofFile])),
          webhook,
          keys,
          policies,
          hooks,
          ...repeated(issued, sessions, calls, figures, sampler, demands, reports, dataWatch),
          sweep,
          erased,
          ...repeated(overdue, expiry, ended, payloads, native, conditions),
          ...(sqs === undefined ? [] : [mover, ...repeated(retention)]),
          // Stops after the fleet, whose last jobs may have something to say.
          deliveries,
          fleet,
          server,
        ];
        return new Supervisor(parts, logger, shutdownTimeout);
      },
      [
        tokens.storeFolder,
        tokens.store,
        tokens.tracing,
        tokens.metricsServer,
        tokens.webhookConnections,
        tokens.policies,
        tokens.hooksInForce,
        tokens.encryptionKeys,
        tokens.issuedTokens,
        tokens.sessions,
        tokens.tokensOfFile,
        tokens.callRecorder,
        tokens.figureRecorder,
        tokens.backlogSampler,
        tokens.demandView,
        tokens.replicaReports,
        tokens.dataWatch,
        tokens.stalledSweep,
        tokens.overdueSweep,
        tokens.expirySweep,
        tokens.endedJobsSweep,
        tokens.payloadSweep,
        tokens.erasureListener,
        tokens.nativeTurns,
        tokens.conditionLook,
        tokens.deliveryFleet,
        tokens.messageMover,
        tokens.retentionSweep,
        tokens.fleet,
        tokens.httpServer,
        tokens.clockPort,
        tokens.loggerPort,
      ],
    );
  });
}
