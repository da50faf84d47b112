import { expect } from 'chai';
import { hostOf } from '../../../src/adapters/outbound/postgres/driver/watched-database.ts';

describe('the host of an address of PostgreSQL', () => {
  for (const [uri, host] of [
    ['postgres://db.example.com/app', 'db.example.com'],
    ['postgresql://db:5433/app?sslmode=require', 'db:5433'],
    ['postgres://ada:secret@db:5432/app', 'db:5432'],
    ['postgres://ada:se/c@ret@one:5432,two:5433/app', 'one:5432,two:5433'],
    ['postgres://ada:s@[::1]:5432?application_name=a', '[::1]:5432'],
  ] as const) {
    it(`has nothing that is secret: ${host}`, () => {
      expect(hostOf(uri)).to.equal(host);
    });
  }
});
