import { decideSender } from '@dmarc-ledger/ledger';
import { givenReports } from '@dmarc-ledger/testkit';
import { addDays, type SenderDecision } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';

const DOMAIN = 'half.example';
const OWN = '192.0.2.1';
const FORGED = '198.51.100.7';

let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Rejected');
  const failing = { dkim: false, spf: false };
  await givenReports(
    served.db,
    org.id,
    Array.from({ length: 20 }, (_, ago) => addDays('2026-03-10', -ago)).map((day) => ({
      domain: DOMAIN,
      begin: `${day}T00:00:00Z`,
      end: `${day}T23:59:59Z`,
      policy: { p: 'reject' as const },
      records: [
        { ip: OWN, count: 500 },
        { ip: OWN, count: 500, ...failing, disposition: 'reject' as const },
        { ip: OWN, count: 3, ...failing, disposition: 'none' as const },
        { ip: FORGED, count: 40, ...failing, disposition: 'reject' as const },
      ],
    })),
  );
});
afterAll(() => served[Symbol.asyncDispose]());

async function enforcement() {
  const { body } = await served.get(`/ext/v1/domains/${DOMAIN}/enforcement`, { authorization: `Bearer ${org.key}` });
  return body;
}

async function decide(sender: string, decision: SenderDecision) {
  await decideSender(
    served.db,
    org.id,
    { domain: DOMAIN, sender },
    { decision, owner: '', note: '', by: 'a@b.example' },
  );
}

it('names the own senders whose mail is rejected, and no stranger', async () => {
  const { verdict, verdict_text: text, refused } = await enforcement();
  expect(verdict).toBe('ready');
  expect(text).toBe(
    `${DOMAIN} asks receivers to reject failing mail, of its subdomains too: there is no stricter policy. But in the ` +
      'last 30 days receivers rejected 10,000 messages of 1 sender that is yours or looks like it: repair it first.',
  );
  expect(refused).toMatchObject({ messages: 10_000, senders_total: 1 });
  expect(refused.senders).toEqual([
    {
      id: '192.0.2.0/24',
      slug: null,
      name: '192.0.2.0/24',
      addresses: 1,
      messages: 10_000,
      decision: null,
      fix: expect.stringMatching(/^Decide whether 192\.0\.2\.0\/24 sends for you\. If it does, authenticate it\. /),
    },
  ]);
});

it('follows what was decided about a sender', async () => {
  await decide('198.51.100.0/24', 'ours');
  const sendersOf = async () =>
    (await enforcement()).refused.senders.map(({ id, messages }: { id: string; messages: number }) => [id, messages]);
  expect(await sendersOf()).toEqual([
    ['192.0.2.0/24', 10_000],
    ['198.51.100.0/24', 800],
  ]);
  await decide('192.0.2.0/24', 'forwarder');
  await decide('198.51.100.0/24', 'not_ours');
  expect(await sendersOf()).toEqual([]);
});
