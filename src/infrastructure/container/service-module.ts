import type { RequestListener } from 'node:http';
import { ContainerModule } from 'inversify';
import { createHttpApp } from '../../adapters/inbound/http/api/http-app.ts';
import { createQstashListener } from '../../adapters/inbound/qstash/qstash-listener.ts';
import { QSTASH_PATH } from '../../adapters/inbound/qstash/wire/raw-target.ts';
import { loopbackOnly } from '../../adapters/inbound/exchange/loopback-only.ts';
import { refusePath } from '../../adapters/inbound/exchange/refuse-path.ts';
import { Peers } from '../../adapters/inbound/exchange/peers.ts';
import { HttpServer } from '../../adapters/inbound/http/server/http-server.ts';
import { isSqsPath, SQS_PATH } from '../../adapters/inbound/sqs/fields/queue-url.ts';
import { createSqsListener } from '../../adapters/inbound/sqs/sqs-listener.ts';
import { operationCatalogue } from '../../application/operation-catalogue.ts';
import { Operations } from '../../application/operations/operations.ts';
import { Rounds } from '../../application/running/rounds.ts';
import { queueName } from '../../domain/queues/queue-name.ts';
import type { Config } from '../config/config.ts';
import { Supervisor } from '../lifecycle/supervisor.ts';
import { version } from '../version.ts';
import { tokens } from './tokens.ts';

/** Has a listener of its own answer at the paths of Amazon SQS and of QStash, and another one everywhere else. */
function byPath(
  { sqs, qstash }: Readonly<Record<'sqs' | 'qstash', RequestListener>>,
  others: RequestListener,
): RequestListener {
  return (request, response) => {
    const { url = '' } = request;
    const isSqs = url.startsWith(SQS_PATH) && isSqsPath(url.split('?', 1)[0] ?? '');
    if (isSqs) sqs(request, response);
    else if (url.startsWith(QSTASH_PATH)) qstash(request, response);
    else others(request, response);
  };
}

/** The HTTP server in front of the use cases, and the order of the start. */
export function serviceModule(config: Config): ContainerModule {
  const { auth, dashboard: mode, http, qstash, queues, sqs, webhook, shutdownTimeout } = config;
  return new ContainerModule(({ bind }) => {
    bind(tokens.httpServer).toResolvedValue(
      (application, configured, networks, exchanges, clock, logger) => {
        const operations = new Operations({ audit: application.audit, clock, logger });
        const name = queueName(queues.nameLimits);
        const catalogue = operationCatalogue(application, {
          queuePrefix: queues.prefix,
          queueName: name,
          maxReturnValue: webhook.maxResponseSize,
        });
        const peers = new Peers({
          publicUrl: webhook.publicUrl,
          isProxy:
            auth.proxies.length === 0
              ? undefined
              : (address) => networks.isWithin(address, auth.proxies),
        });
        const app = createHttpApp({ application, catalogue, operations }, logger, {
          tokens: configured,
          peers,
          maxBodySize: http.maxBodySize,
          queueName: name,
          exchanges,
          dashboard: { mode, signsIn: application.signIn.isOn },
          version: version(),
        });
        const { issuedTokens: issued, workloadTokens: workloads, requestLimits } = application;
        const { messages } = catalogue;
        const holders = { configured, issued, workloads };
        const shared = { operations, tokens: holders, limits: requestLimits, peers, logger };
        const { maxBodySize } = http;
        const listeners = {
          sqs:
            sqs === undefined
              ? refusePath(SQS_PATH, exchanges)
              : createSqsListener(
                  { ...shared, messages },
                  { baseUrl: sqs.baseUrl, queueName: name, exchanges },
                ),
          qstash: qstash.isServed
            ? createQstashListener(
                { ...shared, catalogue },
                { maxBodySize, queueName: name, exchanges },
              )
            : refusePath(QSTASH_PATH, exchanges),
        };
        const listener = byPath(listeners, app);
        const served = http.address === undefined ? listener : loopbackOnly(listener);
        return new HttpServer(served, http, logger);
      },
      [
        tokens.application,
        tokens.configured,
        tokens.networks,
        tokens.exchangeObserver,
        tokens.clock,
        tokens.logger,
      ],
    );
    bind(tokens.supervisor).toDynamicValue((context) => {
      const logger = context.get(tokens.logger);
      const folder = context.get(tokens.storeFolder);
      const server = context.get(tokens.httpServer);
      const files = [context.get(tokens.tokensOfFile), context.get(tokens.signInFile)];
      // Reading a store takes a while, in which probes are answered.
      const port = {
        name: 'port',
        start: () => server.listen(),
        stop: (deadline: AbortSignal) => server.stop(deadline),
      };
      const parts = [
        context.get(tokens.clockWatch),
        ...(folder === undefined ? [] : [folder, port]),
        // These start early and stop late, so that metrics and traces cover the start and the shutdown.
        context.get(tokens.store),
        context.get(tokens.tracing),
        context.get(tokens.metricsServer),
        ...files.map((file) => file && new Rounds(file, context.get(tokens.clock), logger)),
        context.get(tokens.webhookConnections),
        ...context.get(tokens.composition).startables,
        server,
      ];
      const present = parts.filter((part) => part !== undefined);
      return new Supervisor(present, logger, shutdownTimeout);
    });
  });
}
