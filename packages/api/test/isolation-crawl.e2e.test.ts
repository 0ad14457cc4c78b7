import { addDomain, decideSender } from '@dmarc-ledger/ledger';
import { givenReports } from '@dmarc-ledger/testkit';
import { idText, newId } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPaths } from './all-paths.ts';
import { givenOrganization, serveApi, type Served } from './served.ts';

/** Words that occur only in the other organization's data. */
const canaries = ['canary', '198.51.100.77', '198.51.100.0/24', '2001:db8:77::1', '777777'];

let served: Served;
let mine: Awaited<ReturnType<typeof givenOrganization>>;
/** Values of the other organization that could be guessed or stolen. */
let foreign: string[];
let secrets: string[];

beforeAll(async () => {
  served = await serveApi();
  mine = await givenOrganization(served, 'Mine');
  const theirs = await givenOrganization(served, 'Canary Ltd', { scope: 'read', name: 'canary key' });
  await givenReports(served.db, mine.id, [{ domain: 'mine.example', reporter: 'Mine Inc.' }]);
  const [reportId] = await givenReports(served.db, theirs.id, [
    {
      domain: 'canary.example',
      reporter: 'Canary Inc.',
      reportId: 'canary-report',
      records: [
        { ip: '198.51.100.77', count: 777_777 },
        { ip: '2001:db8:77::1', count: 777_777, dkim: false, spf: false },
      ],
    },
  ]);
  const decided = { domain: 'canary.example', sender: '198.51.100.0/24' };
  const decision = { decision: 'ours', owner: 'canary', note: 'canary', by: 'canary@example.com' } as const;
  await decideSender(served.db, theirs.id, decided, decision);
  const { id: domainId } = await addDomain(served.db, theirs.id, 'monitored.canary.example', {});
  await served.db
    .insertInto('event')
    .values({
      org_id: theirs.id,
      id: newId(),
      dedup_key: 'c/1',
      type: 'compliance_drop',
      severity: 'warning',
      domain: 'canary.example',
      title: 'canary',
      message: 'canary',
      link: '/canary',
    })
    .execute();
  const ids = [reportId!, domainId, theirs.id, theirs.keyId].map((id) => idText(id));
  const words = ['canary.example', 'monitored.canary.example', 'Canary Inc.', 'canary-report', 'canary'];
  foreign = [...ids, ...words, '198.51.100.77', '2001:db8:77::1', '198.51.100.0/24', theirs.key];
  secrets = ids;
});
afterAll(() => served[Symbol.asyncDispose]());

/** The words that no response may contain, unless the request itself did. */
function leaks(text: string, sent: string): string[] {
  return [...canaries, ...secrets].filter((word) => text.includes(word) && !sent.includes(word));
}

describe('no response to one organization contains data of another', () => {
  it.each(allPaths)('%s, whatever of theirs is asked for', async (path, parameters) => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    const places =
      inPath.length > 0 ? foreign.map((value) => path.replace(/\{\w+\}/, encodeURIComponent(value))) : [path];
    for (const place of places) {
      const bare = await mine.ask(place);
      const statuses = inPath.length > 0 ? [400, 404] : [200];
      expect([place, statuses.includes(bare.status), leaks(bare.text, place)]).toEqual([place, true, []]);
    }
    for (const { name } of parameters.filter((parameter) => parameter.in === 'query')) {
      for (const value of foreign) {
        const got = await mine.ask(`${places[0]}?${name}=${encodeURIComponent(value)}`);
        expect([name, value, got.status < 500, leaks(got.text, value)]).toEqual([name, value, true, []]);
      }
    }
  });

  it('nor does a key of theirs in any other place than its own', async () => {
    const theirKey = foreign.at(-1)!;
    for (const [path] of allPaths) {
      const place = `${path.replace(/\{\w+\}/, 'x')}?key=${theirKey}&access_token=${theirKey}`;
      const got = await served.get(place, { 'x-api-key': theirKey, cookie: `key=${theirKey}` });
      expect([place, got.status, leaks(got.text, '')]).toEqual([place, 401, []]);
    }
  });
});
