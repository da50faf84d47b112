import { expect } from 'chai';
import { batchOutcome, type BatchOutcome } from '../../../src/domain/batches/batch-answer.ts';

const IDS = new Set(['1', '2']);

function outcomeOf(body: string, status = 200, type = 'application/json'): BatchOutcome {
  const headers = { 'content-type': type };
  return batchOutcome({ status, statusText: '', headers, body }, {}, IDS);
}

const found = (outcome: BatchOutcome) => (outcome.kind === 'items' ? [...outcome.of] : outcome);

describe('The answer to a batch', () => {
  // holds: batches.answer
  it('completes all jobs with null if it does not mention them', () => {
    for (const body of ['', '{}', '{"results":null}', 'null', '[]', '"done"']) {
      expect(found(outcomeOf(body)), body).to.deep.equal([]);
    }
    expect(found(outcomeOf('all done', 200, 'text/plain'))).to.deep.equal([]);
  });

  // holds: batches.answer
  it('gives the outcome of each job', () => {
    const results = [
      { id: '1', status: 'completed', value: [1] },
      { id: '2', status: 'failed', reason: ' full ', delay: 5 },
    ];
    const batchItemFailures = [{ itemIdentifier: '1' }];
    expect(found(outcomeOf(JSON.stringify({ results, batchItemFailures })))).to.deep.equal([
      ['1', { status: 'completed', value: [1] }],
      ['2', { status: 'failed', reason: 'full', retry: true, delay: 5 }],
    ]);
    const [failure] = found(outcomeOf(JSON.stringify({ batchItemFailures }))) as [[string, object]];
    expect(failure[0]).to.equal('1');
    expect(failure[1]).to.include({ status: 'failed', retry: true });
  });

  const wrong: readonly (readonly [what: string, body: string, reason: string])[] = [
    ['no JSON', '{"results":', 'cannot be read'],
    ['an unknown id', '{"results":[{"id":"3","status":"failed"}]}', 'results[0] names 3, which is'],
    [
      'a doubled id',
      '{"batchItemFailures":[{"itemIdentifier":"1"},{"itemIdentifier":"1"}]}',
      'batchItemFailures[1] names 1 again',
    ],
    ['an empty id', '{"results":[{"id":"","status":"failed"}]}', 'results[0].id must be'],
    ['a number for an id', '{"results":[{"id":1,"status":"failed"}]}', 'results[0].id must be'],
    ['an unknown status', '{"results":[{"id":"1","status":"ok"}]}', 'results[0].status must be'],
    ['no list', '{"results":{}}', 'results must be an array'],
    ['no object', '{"results":["1"]}', 'results[0] must be an object'],
  ];

  for (const [what, body, reason] of wrong) {
    // holds: batches.answer
    it(`fails all jobs without a split when it has ${what}`, () => {
      const outcome = outcomeOf(body);
      expect(outcome).to.include({ kind: 'failed', isWhole: false });
      expect(outcome.kind === 'failed' && outcome.reason).to.contain(reason);
    });
  }

  // holds: batches.answer
  it('fails all jobs, in halves where calls are split, if its status is a failure', () => {
    const outcome = outcomeOf('{"message":"down"}', 500);
    expect(outcome).to.deep.equal({ kind: 'failed', reason: 'down', isWhole: true });
  });
});
