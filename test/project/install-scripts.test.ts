import { expect } from 'chai';
import lock from '../../package-lock.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };

describe('the scripts of packages at their installation', () => {
  it('are decided on, so that npm does not warn of them', () => {
    const packages = Object.entries(lock.packages).flatMap(([path, entry]) =>
      'hasInstallScript' in entry ? [path.split('node_modules/').at(-1)] : [],
    );
    expect(manifest.allowScripts).to.have.all.keys(packages);
  });
});
