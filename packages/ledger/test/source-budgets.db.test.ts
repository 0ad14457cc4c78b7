import { awayFromTheTurn, cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeCall, saveBudget } from '@dmarc-ledger/ledger';

let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
beforeEach(() => awayFromTheTurn());
afterAll(() => database[Symbol.asyncDispose]());

const take = (service: string, callsPerDay = 10) => takeCall(database.db, service, callsPerDay);
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const midnight = () => new Date(Math.ceil((Date.now() + 1) / 86_400_000) * 86_400_000);

describe('a daily budget', () => {
  it('gives out so many calls, however many ask at once, and then none before midnight', async () => {
    const taken = await Promise.all(Array.from({ length: 60 }, () => take('many')));
    expect(taken.filter((until) => until === undefined)).toHaveLength(10);
    expect(new Set(taken.filter((until) => until !== undefined).map(Number))).toEqual(new Set([Number(midnight())]));
  });

  it('is each service’s own', async () => {
    expect(await take('one', 1)).toBeUndefined();
    expect(await take('one', 1)).toBeDefined();
    expect(await take('two', 1)).toBeUndefined();
  });

  it('gives none while the service wants to be left alone, also past midnight', async () => {
    const until = inMinutes(90);
    expect(await take('tired')).toBeUndefined();
    await saveBudget(database.db, 'tired', { refusedUntil: until });
    expect(await take('tired')).toEqual(until);
    await database.pool.query(`update lookup_budget set day = day - 1 where service = 'tired'`);
    expect(await take('tired')).toEqual(until);
    await database.pool.query(`update lookup_budget set refused_until = now() where service = 'tired'`);
    expect(await take('tired')).toBeUndefined();
  });

  it('keeps the longer of two pauses', async () => {
    const [long, short] = [inMinutes(60), inMinutes(5)];
    await saveBudget(database.db, 'twice', { refusedUntil: long });
    await saveBudget(database.db, 'twice', { refusedUntil: short });
    expect(await take('twice')).toEqual(long);
  });

  it('believes the service when it has counted more calls than we have, and not when fewer', async () => {
    await take('counted');
    await saveBudget(database.db, 'counted', { spent: 9 });
    await saveBudget(database.db, 'counted', { spent: 2 });
    expect(await take('counted')).toBeUndefined();
    expect(await take('counted')).toBeDefined();
  });
});
