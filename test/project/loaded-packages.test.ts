import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

const SERVICE = join(import.meta.dirname, '../../src/infrastructure/service.ts');
const TRACES = '../../src/adapters/outbound/opentelemetry/open-telemetry-tracing.ts';

/** The packages that a source file loads, by itself or through others, without a condition. */
function packagesOf(entry: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const open = [entry];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const imports = /^(?:import|export)(?! type\b)(?:[^;']*\bfrom)?\s*'([^']+)'/gm;
    for (const [, target = ''] of readFileSync(path, 'utf8').matchAll(imports)) {
      if (target.startsWith('.')) open.push(join(dirname(path), target));
      else packages.add(target);
    }
  }
  return packages;
}

const isTracing = (name: string): boolean => name.startsWith('@opentelemetry/');

describe('the packages that a service loads', () => {
  // holds: traces.unloaded
  it('are without those for traces, unless they are set', () => {
    const loaded = packagesOf(SERVICE);
    expect([...loaded]).to.include('inversify');
    expect([...loaded].filter(isTracing)).to.deep.equal([]);
    expect([...packagesOf(join(import.meta.dirname, TRACES))].some(isTracing)).to.equal(true);
  });
});
