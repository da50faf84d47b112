import { expect } from 'chai';
import { commands } from '../../../clients/command-line/commands.ts';
import { commandHelp, helpText } from '../../../clients/command-line/help.ts';
import { variableNames } from '../../../src/infrastructure/config/variables.ts';
import { serviceHelp } from '../../../src/infrastructure/help.ts';

describe('the help about the service and its commands', () => {
  const lines = serviceHelp().split('\n');

  // holds: command-line.help
  it('has each variable in a column of its own', () => {
    for (const name of variableNames) {
      const found = lines.filter((line) => new RegExp(`^  ${name}(?: |$)`).test(line));
      expect(found, name).to.have.lengthOf(1);
      expect(found[0], name).to.match(new RegExp(`^  ${name}(?:$| +(?<=^.{28})\\S)`));
    }
  });

  it('fits a terminal, and contains no Markdown', () => {
    const others = [helpText('1.0.0'), ...commands.map(commandHelp)].join('\n').split('\n');
    // An example stays on one line, so that it can be copied.
    for (const line of [...lines, ...others.filter((each) => !each.startsWith('  jobgate '))]) {
      expect(line.length, line).to.be.at.most(80);
      expect(line).not.to.match(/\]\(|`/);
    }
    expect(lines.join('\n')).to.include('tokens with rights');
  });
});
