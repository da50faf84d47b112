import { ContainerModule } from 'inversify';
import { environmentTokens } from '../../adapters/inbound/http/api/environment-tokens.ts';
import { joinedTokens } from '../../adapters/inbound/http/api/joined-tokens.ts';
import { CronCalendar } from '../../adapters/outbound/cron/cron-calendar.ts';
import { AesSecretCipher } from '../../adapters/outbound/encryption/aes-secret-cipher.ts';
import { QstashFormats } from '../../adapters/outbound/qstash/qstash-formats.ts';
import { HooksOfEndings } from '../../application/hooks/hooks-of-endings.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import { AccessTokensOfFile } from '../access-tokens-of-file.ts';
import { composeApplication } from '../composition/compose-application.ts';
import type { Config } from '../config/config.ts';
import { IpNetworks } from '../ip-networks.ts';
import { ClockWatch } from '../lifecycle/clock-watch.ts';
import { RandomAccessSecrets } from '../random-access-secrets.ts';
import { RandomSecrets } from '../random-secrets.ts';
import { RandomTokens } from '../random-tokens.ts';
import { SystemClock } from '../system-clock.ts';
import { UuidMessageIds } from '../uuid-message-ids.ts';
import { portTokens, resolve, tokens } from './tokens.ts';

/** The use cases, and the ports that need nothing outside this process. */
export function applicationModule(config: Config, logger: LoggerPort): ContainerModule {
  const { auth, workers } = config;
  return new ContainerModule(({ bind }) => {
    bind(tokens.logger).toConstantValue(logger);
    const clock = new SystemClock();
    bind(tokens.clock).toConstantValue(clock);
    bind(tokens.clockWatch).toConstantValue(new ClockWatch(clock, logger));
    bind(tokens.calendar).toConstantValue(new CronCalendar());
    bind(tokens.tokens).toConstantValue(new RandomTokens());
    bind(tokens.secrets).toConstantValue(new RandomSecrets());
    bind(tokens.accessSecrets).toConstantValue(new RandomAccessSecrets());
    bind(tokens.networks).toConstantValue(new IpNetworks());
    bind(tokens.pushFormats).toConstantValue(new QstashFormats());
    bind(tokens.messageIds).toConstantValue(new UuidMessageIds());
    bind(tokens.hooksOfQueues).toConstantValue(new HooksOfEndings());
    bind(tokens.cipher).toResolvedValue(() => new AesSecretCipher(workers.encryptionKeys));
    bind(tokens.tokensOfFile).toResolvedValue(
      (networks, clock) =>
        auth.file === undefined
          ? undefined
          : new AccessTokensOfFile(auth.file, networks, clock, logger),
      [tokens.networks, tokens.clock],
    );
    bind(tokens.configured).toResolvedValue(
      (ofFile) => {
        const environment = environmentTokens(auth.tokens, auth.digests);
        return ofFile === undefined ? environment : joinedTokens([environment, ofFile]);
      },
      [tokens.tokensOfFile],
    );
    bind(tokens.composition).toDynamicValue((context) => {
      const observers = context.getAll(tokens.attemptObserver);
      return composeApplication(resolve(context, portTokens), observers, config);
    });
    bind(tokens.application).toResolvedValue(
      ({ useCases }, metrics) => ({ ...useCases, metrics }),
      [tokens.composition, tokens.metrics],
    );
  });
}
