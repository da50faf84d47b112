import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ESLint } from 'eslint';

/** The rules that hold the structure. */
const RULES = [
  'boundaries/dependencies',
  'no-restricted-globals',
  'no-restricted-imports',
  '@typescript-eslint/no-restricted-imports',
];

/** Lints the text as if it stood in that file, and returns what the dependency rule says of it. */
async function violations(eslint: ESLint, filePath: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath });
  return result!.messages
    .filter(({ ruleId }) => ruleId !== null && RULES.includes(ruleId))
    .map(({ message }) => message);
}

describe('the dependency rule', () => {
  // The other rules, and the types that they need, are left to the linter itself.
  const eslint = new ESLint({
    overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
    ruleFilter: ({ ruleId }) => RULES.includes(ruleId),
  });

  const forbidden: [file: string, imported: string][] = [
    ['src/domain/jobs/job.ts', 'express'],
    ['src/domain/jobs/job.ts', 'node:crypto'],
    ['src/domain/jobs/job.ts', '../../application/jobs/jobs.ts'],
    ['src/domain/jobs/job.ts', '../../adapters/outbound/memory/ports/memory-collection.ts'],
    ['src/domain/jobs/job.ts', '../../infrastructure/system-clock.ts'],
    ['src/application/jobs/jobs.ts', 'bullmq'],
    ['src/application/jobs/jobs.ts', 'node:timers'],
    ['src/application/jobs/jobs.ts', '../../adapters/outbound/memory/ports/memory-collection.ts'],
    ['src/application/jobs/jobs.ts', '../../infrastructure/system-clock.ts'],
    [
      'src/adapters/outbound/memory/ports/memory-collection.ts',
      '../../redis/workers/redis-call-figures.ts',
    ],
    [
      'src/adapters/inbound/http/api/http-app.ts',
      '../../../outbound/memory/ports/memory-collection.ts',
    ],
    ['src/adapters/inbound/http/api/http-app.ts', '../server/http-server.ts'],
    ['src/adapters/inbound/exchange/send-reply.ts', '../http/messages/reply.ts'],
    ['src/adapters/inbound/exchange/send-reply.ts', '../sqs/sqs-listener.ts'],
    ['src/adapters/inbound/sqs/sqs-listener.ts', '../http/messages/reply.ts'],
    ['src/adapters/inbound/qstash/qstash-listener.ts', '../sqs/sqs-listener.ts'],
    ['src/adapters/outbound/webhook/capped-bytes.ts', '../../inbound/exchange/transfer-budget.ts'],
    // What a way in needs of the use cases goes through operations.
    ['src/adapters/inbound/http/api/route.ts', '../../../../application/jobs/jobs.ts'],
    ['src/adapters/inbound/http/api/mcp/tool-use.ts', '../../../../../application/audit/audit.ts'],
    ['src/application/jobs/jobs.ts', '../operations/operations.ts'],
    ['src/adapters/inbound/http/server/connection.ts', '../api/http-app.ts'],
    ['src/adapters/inbound/http/messages/reply.ts', '../api/http-app.ts'],
    ['src/adapters/inbound/http/messages/reply.ts', '../server/http-server.ts'],
    ['src/adapters/inbound/http/messages/reply.ts', '../site/site.ts'],
    ['src/adapters/inbound/http/server/connection.ts', '../site/site.ts'],
    ['src/adapters/inbound/http/site/site.ts', '../api/http-app.ts'],
    ['src/adapters/inbound/http/site/docs/docs-page.ts', '../../api/http-app.ts'],
    ['src/adapters/inbound/http/site/site.ts', '../server/http-server.ts'],
    [
      'src/adapters/outbound/memory/ports/memory-collection.ts',
      '../../../../infrastructure/system-clock.ts',
    ],
    ['src/adapters/outbound/memory/state/stored-queue.ts', '../ports/memory-queues.ts'],
    ['src/adapters/outbound/memory/records/queue-records.ts', '../ports/memory-queues.ts'],
    ['src/domain/records/job-record.ts', '../transitions/claim.ts'],
    ['src/domain/jobs/job.ts', '../../adapters/shared/growing-bytes.ts'],
    ['src/application/jobs/jobs.ts', '../../adapters/shared/growing-bytes.ts'],
    ['clients/command-line/output/table.ts', '../../../src/domain/jobs/job.ts'],
    ['clients/command-line/help.ts', '../../src/infrastructure/version.ts'],
    ['clients/dashboard/app.tsx', '../../src/domain/jobs/job.ts'],
    ['clients/dashboard/app.tsx', '../../src/infrastructure/version.ts'],
    ['clients/dashboard/app.tsx', '../typescript/src/jobgate.ts'],
    ['clients/rules/recommended-settings.ts', '../../src/domain/jobs/job.ts'],
    ['clients/rules/recommended-settings.ts', '../command-line/help.ts'],
    ['src/adapters/inbound/http/site/site.ts', '../../../../../clients/dashboard/app.tsx'],
    ['src/adapters/shared/growing-bytes.ts', '../../../clients/command-line/help.ts'],
    ['src/adapters/shared/growing-bytes.ts', '../outbound/memory/ports/memory-collection.ts'],
    ['src/adapters/shared/growing-bytes.ts', '../../infrastructure/system-clock.ts'],
    // Rooms: those below, those beside, and what stands beside all rooms.
    ['src/domain/values/text.ts', '../jobs/job.ts'],
    ['src/domain/jobs/job.ts', '../attempts/ending.ts'],
    ['src/domain/calls/delivery.ts', '../events/queue-event.ts'],
    ['src/domain/errors.ts', './values/text.ts'],
    ['src/application/ports/queue-port.ts', '../running/rounds.ts'],
    ['src/application/running/rounds.ts', '../calls/queue-consumer.ts'],
    ['src/application/attempts/give-back.ts', '../calls/queue-consumer.ts'],
    ['src/application/calls/queue-consumer.ts', '../pulls/job-claims.ts'],
    ['src/application/pulls/job-claims.ts', '../calls/queue-consumer.ts'],
    ['src/application/calls/queue-consumer.ts', '../application.ts'],
    ['src/adapters/outbound/redis/layout/queue-keys.ts', '../connection/store-commands.ts'],
    ['src/adapters/outbound/redis/jobs/redis-queues.ts', '../attempts/redis-attempts.ts'],
    ['src/adapters/outbound/redis/jobs/redis-queues.ts', '../../memory/state/memory-store.ts'],
  ];
  for (const [file, imported] of forbidden) {
    it(`fires when ${file} imports ${imported}`, async () => {
      const found = await violations(eslint, file, `import * as x from '${imported}';\nvoid x;\n`);
      expect(found).to.have.lengthOf(1);
    });
  }

  const allowed: [file: string, imported: string][] = [
    ['src/domain/jobs/job.ts', '../errors.ts'],
    ['src/application/jobs/jobs.ts', '../../domain/errors.ts'],
    ['src/adapters/outbound/memory/ports/memory-collection.ts', '../../../../domain/errors.ts'],
    ['src/adapters/outbound/memory/ports/memory-collection.ts', 'node:crypto'],
    ['src/adapters/outbound/memory/ports/memory-queues.ts', '../state/memory-store.ts'],
    [
      'src/adapters/outbound/memory/state/stored-queue.ts',
      '../../../../application/ports/clock-port.ts',
    ],
    [
      'src/infrastructure/system-clock.ts',
      '../adapters/outbound/memory/ports/memory-collection.ts',
    ],
    ['src/adapters/inbound/http/server/client-error.ts', '../messages/node-http.ts'],
    ['src/adapters/inbound/http/api/http-app.ts', '../messages/reply.ts'],
    ['src/adapters/inbound/http/api/route.ts', '../../../../application/operations/operation.ts'],
    ['src/application/operations/job-operations.ts', '../jobs/jobs.ts'],
    ['src/adapters/inbound/http/api/http-app.ts', '../site/site.ts'],
    ['src/adapters/inbound/http/site/site.ts', '../messages/reply.ts'],
    ['src/adapters/inbound/http/site/site.ts', '../../exchange/send-reply.ts'],
    ['src/adapters/inbound/sqs/sqs-listener.ts', '../exchange/send-reply.ts'],
    ['src/adapters/outbound/webhook/capped-bytes.ts', '../../shared/growing-bytes.ts'],
    ['src/adapters/shared/growing-bytes.ts', '../../domain/jobs/job.ts'],
    ['src/adapters/shared/growing-bytes.ts', '../../application/ports/clock-port.ts'],
    ['src/adapters/inbound/exchange/request-body.ts', '../../shared/growing-bytes.ts'],
    ['src/domain/jobs/job.ts', '../values/text.ts'],
    ['src/domain/jobs/job.ts', './job-id.ts'],
    ['src/domain/workers/worker.ts', '../queues/limiter.ts'],
    ['src/application/calls/queue-consumer.ts', '../running/slot-loop.ts'],
    ['src/application/workers/fleet.ts', '../calls/queue-consumer.ts'],
    ['src/application/application.ts', './jobs/jobs.ts'],
    ['src/adapters/outbound/redis/attempts/redis-attempts.ts', '../connection/store-commands.ts'],
    ['src/adapters/outbound/redis/jobs/redis-queues.ts', '../../../../domain/jobs/job.ts'],
    ['src/adapters/outbound/redis/jobs/redis-queues.ts', '../../../shared/growing-bytes.ts'],
    ['src/infrastructure/system-clock.ts', '../adapters/outbound/redis/jobs/redis-queues.ts'],
    ['src/adapters/outbound/webhook/undici-webhook.ts', '../../../domain/calls/delivery.ts'],
  ];
  for (const [file, imported] of allowed) {
    it(`lets ${file} import ${imported}`, async () => {
      const found = await violations(eslint, file, `import * as x from '${imported}';\nvoid x;\n`);
      expect(found).to.deep.equal([]);
    });
  }

  it('lets a way in import types of use cases', async () => {
    const code = `import type { Jobs } from '../../../../application/jobs/jobs.ts';\nexport type X = Jobs;\n`;
    const found = await violations(eslint, 'src/adapters/inbound/http/api/route.ts', code);
    expect(found).to.deep.equal([]);
  });

  it('lets the dashboard import types of the client', async () => {
    const code = `import type { Job } from '../typescript/src/api.ts';\nexport type X = Job;\n`;
    expect(await violations(eslint, 'clients/dashboard/app.tsx', code)).to.deep.equal([]);
  });

  it('fires in a room that is not in the list', async () => {
    const code = `import * as x from '../values/text.ts';\nvoid x;\n`;
    expect(await violations(eslint, 'src/domain/no-room/file.ts', code)).to.have.lengthOf(1);
  });

  it('is probed with files that exist, since it lets imports of others pass', () => {
    const probes = [...forbidden, ...allowed].filter(([, imported]) => imported.startsWith('.'));
    const paths = probes.flatMap(([file, imported]) => [file, join(dirname(file), imported)]);
    expect(paths.filter((path) => !existsSync(path))).to.deep.equal([]);
  });

  for (const file of ['src/domain/jobs/job.ts', 'src/application/jobs/jobs.ts']) {
    for (const name of ['process', 'Buffer', 'setTimeout', 'performance', 'console']) {
      it(`fires when ${file} uses the global ${name}`, async () => {
        expect(await violations(eslint, file, `void ${name};\n`)).to.have.lengthOf(1);
      });
    }
  }
});
