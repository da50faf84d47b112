import { ContainerModule } from 'inversify';
import { createSqsListener } from '../../adapters/inbound/sqs/sqs-listener.ts';
import { refuseSqs } from '../../adapters/inbound/sqs/refuse-sqs.ts';
import { MessageMover } from '../../application/messages/message-mover.ts';
import { MessageMoves } from '../../application/messages/message-moves.ts';
import { MessageQueues } from '../../application/messages/message-queues.ts';
import { MessageReceives } from '../../application/messages/message-receives.ts';
import { MessageSends } from '../../application/messages/message-sends.ts';
import { RetentionSweep } from '../../application/messages/retention-sweep.ts';
import { queueName } from '../../domain/queues/queue-name.ts';
import type { Config } from '../config/config.ts';
import { UuidMessageIds } from '../uuid-message-ids.ts';
import { tokens } from './tokens.ts';
import { Wiring } from './wiring.ts';

/** What programs that speak Amazon SQS are served by. */
export function messagesModule({ queues, sqs }: Config): ContainerModule {
  return new ContainerModule(({ bind }) => {
    const { inOrder, byName } = new Wiring(bind);
    bind(tokens.messageIdPort).toConstantValue(new UuidMessageIds());
    byName(tokens.messageQueues, MessageQueues, {
      policies: tokens.policies,
      names: tokens.queueNames,
      view: tokens.queueView,
      clock: tokens.clockPort,
    });
    inOrder(tokens.messageSends, MessageSends, [tokens.jobs, tokens.messageIdPort]);
    inOrder(tokens.messageReceives, MessageReceives, [
      tokens.receives,
      tokens.messageQueues,
      tokens.queuePort,
    ]);
    byName(tokens.messageMoves, MessageMoves, {
      messageQueues: tokens.messageQueues,
      queues: tokens.queuePort,
      control: tokens.jobControlPort,
      ids: tokens.messageIdPort,
    });
    byName(tokens.messageMover, MessageMover, {
      claims: tokens.jobClaims,
      reports: tokens.attemptReports,
      attempts: tokens.attemptEnginePort,
      holders: tokens.attemptHolderPort,
      control: tokens.jobControlPort,
      queues: tokens.queuePort,
      sweep: tokens.stalledSweep,
      ids: tokens.messageIdPort,
      tokens: tokens.tokenPort,
      observer: tokens.attemptObserver,
      clock: tokens.clockPort,
      logger: tokens.loggerPort,
    });
    byName(tokens.retentionSweep, RetentionSweep, {
      policies: tokens.policies,
      scan: tokens.jobScanPort,
      control: tokens.jobControlPort,
      signals: tokens.replicaSignalsPort,
      clock: tokens.clockPort,
      logger: tokens.loggerPort,
    });
    bind(tokens.sqsListener).toResolvedValue(
      (application, catalogue, operations, configured, peers, exchanges, logger) => {
        const ended = (method: string, status: number | undefined): void => {
          exchanges.ended('/sqs', method, status);
        };
        if (sqs === undefined) return refuseSqs(ended);
        const { issuedTokens: issued, workloadTokens: workloads, requestLimits } = application;
        return createSqsListener(
          {
            operations,
            messages: catalogue.messages,
            tokens: { configured, issued, workloads },
            limits: requestLimits,
            origins: peers,
            logger,
          },
          { baseUrl: sqs.baseUrl, queueName: queueName(queues.nameLimits), ended },
        );
      },
      [
        tokens.application,
        tokens.operationCatalogue,
        tokens.operations,
        tokens.configuredTokens,
        tokens.peers,
        tokens.exchangeObserver,
        tokens.loggerPort,
      ],
    );
  });
}
