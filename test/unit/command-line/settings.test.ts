import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { differences } from '../../../clients/command-line/settings/differences.ts';
import { settingsOf } from '../../../clients/command-line/settings/read-settings.ts';

describe('settings in files', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobgate-settings-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  function fileOf(text: string): string {
    const path = join(folder, 'settings.yaml');
    writeFileSync(path, text);
    return path;
  }

  // holds: settings.documents
  it('are read from YAML and from JSON, policies first', () => {
    const group = { kind: 'group', queue: 'mail', id: '1', spec: { weight: 2 } };
    const policy = { kind: 'policy', spec: { maxWaiting: 5 } };
    const yaml = `kind: group\nqueue: mail\nid: '1'\nspec: {weight: 2}\n---\n---\nkind: policy\nspec:\n  maxWaiting: 5\n`;
    expect(settingsOf([fileOf(yaml)])).to.deep.equal([policy, group]);
    expect(settingsOf([fileOf(JSON.stringify([group, policy]))])).to.deep.equal([policy, group]);
  });

  // holds: settings.documents
  it('are refused when they are no such documents', () => {
    for (const [text, message] of [
      ['a: [', /settings\.yaml is not valid YAML: /],
      ['a: 1\na: 2', /is not valid YAML: Map keys must be unique/],
      ['text', /document 1: it must be an object of kind, queue, id and spec$/],
      ['kind: worker\nspec: {}', /document 1: queue must be the name of a queue$/],
      [
        'kind: jobs\nspec: {}',
        /kind must be one of limit, policy, worker, scheduler, group, hook, topic$/,
      ],
      ['kind: policy\nsepc: {}', /sepc is not a field of a document$/],
      ['kind: policy\nid: a\nspec: {}', /a policy has no id$/],
      ['kind: hook\nqueue: mail\nid: a\nspec: {}', /a hook has no queue$/],
      ['kind: hook\nspec: {}', /id must be that of the hook$/],
      ['kind: group\nqueue: mail\nid: 1\nspec: {}', /id must be that of the group$/],
      ['kind: policy', /spec must be an object$/],
      [
        'kind: policy\nspec: {}\n---\nkind: policy\nspec: {}',
        /^The files have the policy of all queues more than once$/,
      ],
    ] as const) {
      expect(() => settingsOf([fileOf(text)]), text).to.throw(message);
    }
    expect(() => settingsOf([join(folder, 'none')])).to.throw(/none cannot be read: /);
  });

  // holds: settings.differences
  it('differ field by field, whatever the order of fields', () => {
    const from = { a: { b: 1, c: [{ x: 1, y: 2 }] }, 'd.e': {}, f: null };
    expect(
      differences(from, { f: null, 'd.e': {}, a: { c: [{ y: 2, x: 1 }], b: 1 } }),
    ).to.deep.equal([]);
    expect(differences(from, { a: { b: 2, c: [] }, f: undefined })).to.deep.equal([
      { field: 'a.b', from: 1, to: 2 },
      { field: 'a.c', from: [{ x: 1, y: 2 }], to: [] },
      { field: '"d.e"', from: {}, to: undefined },
      { field: 'f', from: null, to: undefined },
    ]);
  });
});
