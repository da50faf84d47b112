import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { requirePythonWith } from '../../support/python.ts';
import { runCommand } from '../../support/run-command.ts';
import { SqsService, TOKEN } from './support/sqs-service.ts';
import { STORES } from './support/stores.ts';

const PROGRAM = fileURLToPath(new URL('python_client.py', import.meta.url));

for (const [store, environment] of Object.entries(STORES)) {
  // holds: sqs.clients
  it(`boto3 sends, receives and manages as with AWS: ${store}`, async function () {
    this.timeout(300_000);
    const python = await requirePythonWith(['boto3']);
    const service = await SqsService.start(await environment());
    try {
      const { output } = await runCommand(python, [PROGRAM, `${service.url}/sqs`, TOKEN]);
      expect(output).to.equal('done\n');
    } finally {
      await service.stop();
    }
  });
}
