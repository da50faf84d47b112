import { expect } from 'chai';
import { ESLint } from 'eslint';

/** The rules that hold the structure. */
const RULES = ['boundaries/dependencies', 'no-restricted-globals', 'no-restricted-imports'];

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
    ['src/domain/jobs/job.ts', '../../adapters/outbound/memory/ports/memory-worker-store.ts'],
    ['src/domain/jobs/job.ts', '../../infrastructure/system-clock.ts'],
    ['src/application/jobs/jobs.ts', 'bullmq'],
    ['src/application/jobs/jobs.ts', 'node:timers'],
    ['src/application/jobs/jobs.ts', '../../adapters/outbound/memory/ports/memory-worker-store.ts'],
    ['src/application/jobs/jobs.ts', '../../infrastructure/system-clock.ts'],
    [
      'src/adapters/outbound/memory/ports/memory-worker-store.ts',
      '../../redis/workers/redis-worker-store.ts',
    ],
    [
      'src/adapters/inbound/http/api/http-app.ts',
      '../../../outbound/memory/ports/memory-worker-store.ts',
    ],
    ['src/adapters/inbound/http/api/http-app.ts', '../server/http-server.ts'],
    ['src/adapters/inbound/http/server/connection.ts', '../api/http-app.ts'],
    ['src/adapters/inbound/http/messages/reply.ts', '../api/http-app.ts'],
    ['src/adapters/inbound/http/messages/reply.ts', '../server/http-server.ts'],
    ['src/adapters/inbound/http/messages/reply.ts', '../site/site.ts'],
    ['src/adapters/inbound/http/server/connection.ts', '../site/site.ts'],
    ['src/adapters/inbound/http/site/site.ts', '../api/http-app.ts'],
    ['src/adapters/inbound/http/site/docs/docs-page.ts', '../../api/http-app.ts'],
    ['src/adapters/inbound/http/site/site.ts', '../server/http-server.ts'],
    [
      'src/adapters/outbound/memory/ports/memory-worker-store.ts',
      '../../../../infrastructure/system-clock.ts',
    ],
    ['src/domain/jobs/job.ts', '../../adapters/shared/growing-bytes.ts'],
    ['src/application/jobs/jobs.ts', '../../adapters/shared/growing-bytes.ts'],
    ['src/command-line/table.ts', '../domain/jobs/job.ts'],
    ['src/command-line/table.ts', '../infrastructure/version.ts'],
    ['src/adapters/shared/growing-bytes.ts', '../../command-line/table.ts'],
    ['src/adapters/shared/growing-bytes.ts', '../outbound/memory/ports/memory-worker-store.ts'],
    ['src/adapters/shared/growing-bytes.ts', '../../infrastructure/system-clock.ts'],
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
    ['src/adapters/outbound/memory/ports/memory-worker-store.ts', '../../../../domain/errors.ts'],
    ['src/adapters/outbound/memory/ports/memory-worker-store.ts', 'node:crypto'],
    [
      'src/infrastructure/system-clock.ts',
      '../adapters/outbound/memory/ports/memory-worker-store.ts',
    ],
    ['src/adapters/inbound/http/server/client-error.ts', '../messages/node-http.ts'],
    ['src/adapters/inbound/http/api/http-app.ts', '../messages/reply.ts'],
    ['src/adapters/inbound/http/api/http-app.ts', '../site/site.ts'],
    ['src/adapters/inbound/http/site/site.ts', '../messages/send-reply.ts'],
    ['src/adapters/outbound/webhook/capped-bytes.ts', '../../shared/growing-bytes.ts'],
    ['src/adapters/shared/growing-bytes.ts', '../../domain/jobs/job.ts'],
    ['src/adapters/shared/growing-bytes.ts', '../../application/ports/clock-port.ts'],
    ['src/adapters/inbound/http/messages/request-body.ts', '../../../shared/growing-bytes.ts'],
  ];
  for (const [file, imported] of allowed) {
    it(`lets ${file} import ${imported}`, async () => {
      const found = await violations(eslint, file, `import * as x from '${imported}';\nvoid x;\n`);
      expect(found).to.deep.equal([]);
    });
  }

  for (const file of ['src/domain/jobs/job.ts', 'src/application/jobs/jobs.ts']) {
    for (const name of ['process', 'Buffer', 'setTimeout', 'performance', 'console']) {
      it(`fires when ${file} uses the global ${name}`, async () => {
        expect(await violations(eslint, file, `void ${name};\n`)).to.have.lengthOf(1);
      });
    }
  }
});
