import { expect } from 'chai';
import { FigureCounter } from '../../../src/domain/figures/figures.ts';
import { recentFigures } from '../../../src/domain/figures/queue-rates.ts';

const MINUTE = 60_000;
const NOW = 100 * MINUTE + 30_000;

/** The minute that began so many minutes before the current one, in which jobs completed. */
function minute(age: number, completed: number) {
  const counter = new FigureCounter();
  counter.count('added', completed);
  counter.count('completed', completed);
  return { at: (100 - age) * MINUTE, figures: counter.figures };
}

describe('The rates of a queue', () => {
  it('are means of the last five whole minutes', () => {
    const { rates } = recentFigures(
      [minute(0, 100), minute(1, 5), minute(5, 10), minute(6, 50)],
      NOW,
    );
    expect(rates).to.deep.equal({ added: 3, completed: 3, failed: 0 });
  });

  it('are those of the current minute in the first minute of a queue', () => {
    expect(recentFigures([minute(0, 7)], NOW).rates).to.include({ added: 7, completed: 7 });
  });

  it('are means of the whole minutes since a younger queue began', () => {
    const { rates } = recentFigures([minute(0, 7), minute(1, 60), minute(2, 30)], NOW);
    expect(rates).to.include({ added: 45, completed: 45 });
  });

  it('are zero after five minutes without jobs', () => {
    expect(recentFigures([minute(0, 7), minute(6, 7)], NOW).rates.completed).to.equal(0);
    expect(recentFigures([], NOW).rates.completed).to.equal(0);
  });
});
