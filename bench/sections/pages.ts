import { addUser, createLink, ensurePerson } from '@dmarc-ledger/ledger';
import { computeHealth } from '@dmarc-ledger/pipeline';
import { idText } from '@dmarc-ledger/vocabulary';
import { signInCookie } from '../../test/support/sign-in-cookie.ts';
import type { Bench } from '../bench.ts';
import { openFilled } from '../filled.ts';
import type { Ledger } from '../ledger.ts';
import { singleRow, type Row } from '../row.ts';
import { ask, quantile, residentMiB, serve, stop, type Served } from '../served.ts';

const OWNER = 'owner@example.com';
const SECONDS = Number(process.env['LOAD_SECONDS'] ?? 3);
const AT_MOST_MS = 50;
const AT_MOST_MS_ESTATE = 100;
/** The pages that show every domain, or mail of all. */
const LISTS = ['/', '/domains', '/enforcement', '/senders', '/reports', '/events', '/reporters'];

/** How long the server takes for each page on a million records, and for lists of 500 domains, for one person. */
export async function pages(bench: Bench): Promise<Row[]> {
  const ledger = await openFilled(bench);
  const million = await ofLedger(ledger, await paths(ledger), AT_MOST_MS);
  const estate = await ofLedger(await openFilled(bench, 'estate'), LISTS, AT_MOST_MS_ESTATE);
  return [...million, ...estate.map((row) => ({ ...row, name: `${row.name}, 500 domains` }))];
}

/** The second figure is that of the first answer after a change. Closes the ledger. */
async function ofLedger(ledger: Ledger, asked: readonly string[], atMost: number): Promise<Row[]> {
  await keepHealths(ledger);
  const served = await serve('web', ledger);
  try {
    const headers = { cookie: await signIn(ledger, served) };
    const rows: Row[] = [];
    for (const path of asked) {
      const answers = await ask(served, { paths: [path], headers, clients: 1, seconds: SECONDS });
      const [first] = answers;
      const detail = `first ${first!.ms.toFixed(1)}, p50 ${quantile(answers, 0.5).toFixed(1)}, ${answers.length} answers`;
      rows.push(
        singleRow({ name: `page ${path}`, detail, unit: 'ms', value: quantile(answers, 0.95), target: { atMost } }),
      );
    }
    const memory = { name: 'memory of the pages', detail: 'after all of them', value: residentMiB(served) };
    return [...rows, singleRow({ ...memory, unit: 'MiB' })];
  } finally {
    await stop(served);
    await ledger.close();
  }
}

/** The health of each domain and what became of its mail day by day, which a worker keeps. */
async function keepHealths({ database, orgId }: Ledger): Promise<void> {
  const domains = await database.db.selectFrom('domain').select('id').execute();
  for (const { id: domainId } of domains) await computeHealth({ database }, { orgId, domainId });
  await database.pool.query("update domain set health_planned = false, health_due_at = now() + interval '1 day'");
}

async function signIn({ database: { db }, orgId }: Ledger, { url }: Served): Promise<string> {
  await addUser(db, orgId, { email: OWNER, role: 'owner' });
  const { token } = await createLink(db, (await ensurePerson(db, OWNER)).id, 'sign_in');
  return await signInCookie(`${url.origin}/sign-in/link?token=${token}`);
}

/** One page of each kind, of the busiest domain and address. */
async function paths({ database: { db } }: Ledger): Promise<string[]> {
  const { name: domain } = await db
    .selectFrom('domain_total as t')
    .innerJoin('domain as d', 'd.id', 't.domain_id')
    .select('d.name')
    .orderBy('t.messages', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const { source_ip: address } = await db
    .selectFrom('source_total')
    .select('source_ip')
    .orderBy('messages', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const { id } = await db.selectFrom('report').select('id').limit(1).executeTakeFirstOrThrow();
  const ofDomain = ['', '/dns/spf', '/spf', '/dkim', '/enforce', '/coverage', '/bulk-sender'];
  return [
    '/',
    '/domains',
    '/enforcement',
    '/senders',
    `/senders?domain=${domain}`,
    '/reports',
    '/reports?search=mail',
    `/reports/${idText(id)}`,
    `/sources/${address}`,
    '/reporters',
    '/tls',
    '/events',
    '/digest',
    '/settings/ingest',
    ...ofDomain.map((rest) => `/domains/${domain}${rest}`),
  ];
}
