import 'reflect-metadata';
import { expect } from 'chai';
import { Container } from 'inversify';
import { token } from '../../../src/infrastructure/container/tokens.ts';
import { Wiring } from '../../../src/infrastructure/container/wiring.ts';

class Engine {
  readonly power = 90;
}
class Wheel {
  readonly size = 17;
}
class Car {
  readonly parts: readonly unknown[];
  constructor(engine: Engine, wheel: Wheel) {
    this.parts = [engine, wheel];
  }
}
class Van {
  readonly parts: Readonly<Record<string, unknown>>;
  constructor(parts: { readonly engine: Engine; readonly wheel: Wheel; readonly load: number }) {
    this.parts = parts;
  }
}

describe('Wiring', () => {
  const [engine, wheel] = [token<Engine>('engine'), token<Wheel>('wheel')];
  const [car, van] = [token<Car>('car'), token<Van>('van')];
  let container: Container;

  beforeEach(() => {
    container = new Container({ defaultScope: 'Singleton' });
    container.bind(engine).toConstantValue(new Engine());
    container.bind(wheel).toConstantValue(new Wheel());
  });

  it('gives a class its parts in their order', () => {
    const { inOrder } = new Wiring(container.bind.bind(container));
    inOrder(car, Car, [engine, wheel]);
    expect(container.get(car).parts).to.deep.equal([new Engine(), new Wheel()]);
    expect(container.get(car)).to.equal(container.get(car));
  });

  it('gives a class its parts by their names, and its settings', () => {
    const { byName } = new Wiring(container.bind.bind(container));
    byName(van, Van, { engine, wheel }, { load: 900 });
    const parts = { engine: new Engine(), wheel: new Wheel(), load: 900 };
    expect(container.get(van).parts).to.deep.equal(parts);
  });

  it('compiles only with the right parts', () => {
    const { inOrder, byName } = new Wiring(container.bind.bind(container));
    const wrong = [
      // @ts-expect-error The parts are in the wrong order.
      () => inOrder(car, Car, [wheel, engine]),
      // @ts-expect-error A part is missing.
      () => inOrder(car, Car, [engine]),
      // @ts-expect-error There is one part too many.
      () => inOrder(car, Car, [engine, wheel, wheel]),
      // @ts-expect-error The class is not what the token stands for.
      () => inOrder(van, Car, [engine, wheel]),
      // @ts-expect-error A part is another.
      () => byName(van, Van, { engine, wheel: engine }, { load: 900 }),
      // @ts-expect-error A part is missing.
      () => byName(van, Van, { engine }, { load: 900 }),
      // @ts-expect-error The setting is missing.
      () => byName(van, Van, { engine, wheel }),
      // @ts-expect-error The setting is of another type.
      () => byName(van, Van, { engine, wheel }, { load: 'much' }),
    ];
    expect(wrong).to.have.lengthOf(8);
  });
});
