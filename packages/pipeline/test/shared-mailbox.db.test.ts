import { randomUUID } from 'node:crypto';
import { addDomain, createOrganization, leaveOrganization, purgeBytes } from '@dmarc-ledger/ledger';
import { reportMail, reportXml } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { previewReplay, receiveMessages } from '../src/index.ts';
import { driftOf, openLedger, receive, settled, type Ledger } from './ledger.ts';
import { openMailbox, type TestMailbox } from './mailboxes.ts';
import { placementJson } from './other-reports.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
});
afterAll(() => ledger[Symbol.asyncDispose]());

type Organization = Pick<Ledger, 'database' | 'blobs' | 'orgId'>;

interface Wanted {
  domains?: string[];
  rua?: string[];
}

async function organization({ domains = [], rua = [] }: Wanted = {}): Promise<Organization> {
  const { database, blobs } = ledger;
  const { id: orgId } = await createOrganization(database.db, { name: randomUUID(), reportAddresses: rua });
  for (const domain of domains) await addDomain(database.db, orgId, domain, {});
  return { database, blobs, orgId };
}

/** An organization with a shared mailbox, and tenants. The domains are used by this test only. */
async function provider(wanted?: Wanted): Promise<{ owner: Organization; mailbox: TestMailbox }> {
  const owner = await organization(wanted);
  return { owner, mailbox: await openMailbox(owner, { shared: true, authservIds: ['mx.provider.example'] }) };
}

const fresh = () => `${randomUUID()}.example`;
const about = (domain: string, id: string = randomUUID()) =>
  reportXml({ domain, id, records: [{ ip: '192.0.2.1', count: 7 }] });

async function done(...organizations: Organization[]): Promise<void> {
  for (const one of organizations) await settled(one); // the owner first: it gives to the others
}

/** The content of a ledger: the domain and messages of each report, and how its deliveries ended. */
async function ledgerOf({ database: { db }, orgId }: Organization) {
  const reports = await db
    .selectFrom('report')
    .select(['domain', 'messages'])
    .where('org_id', '=', orgId)
    .orderBy('domain')
    .execute();
  const deliveries = await db
    .selectFrom('raw_message')
    .select(['state', 'code'])
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute();
  return {
    reports: reports.map(({ domain, messages }) => `${domain} ${messages}`),
    deliveries: deliveries.map(({ state, code }) => (code ? `${state} ${code}` : state)),
    drift: await driftOf({ database: ledger.database, blobs: ledger.blobs, orgId }),
  };
}

const partsOf = async ({ database: { db }, orgId }: Organization) =>
  (await db.selectFrom('raw_message').select('parts').where('org_id', '=', orgId).orderBy('id').execute()).flatMap(
    ({ parts }) => parts ?? [],
  );

/** Replays every delivery of an organization. */
async function readAgain({ database: { db }, orgId }: Organization): Promise<void> {
  await db
    .updateTable('raw_message')
    .set({ state: 'received', attempts_started: 0 })
    .where('org_id', '=', orgId)
    .execute();
}

it('keeps where the bytes of a report are when they come again after they were deleted by age', async () => {
  const domain = fresh();
  const { owner, mailbox } = await provider();
  const tenant = await organization({ domains: [domain] });
  const { db } = ledger.database;
  const xml = about(domain);
  const bring = async (subject: string) => {
    await mailbox.bring(reportMail({ xml, subject }));
    await done(owner, tenant);
  };
  await bring('first');
  await purgeBytes(db, tenant.orgId, new Date(Date.now() + 60_000));
  await bring('again');
  const copies = db.selectFrom('report_revision').select('message_id').where('org_id', '=', tenant.orgId);
  const kept = db.selectFrom('raw_message').select('id').where('bytes_purged_at', 'is', null);
  expect(await copies.execute()).toEqual([
    { message_id: (await kept.where('org_id', '=', tenant.orgId).executeTakeFirstOrThrow()).id },
  ]);
});

it('gives a report to the organization that monitors its domain, and keeps nothing of it', async () => {
  const domain = fresh();
  const { owner, mailbox } = await provider();
  const tenant = await organization({ domains: [domain] });
  await mailbox.bring(reportMail({ xml: about(domain) }));
  await done(owner, tenant);
  expect(await ledgerOf(tenant)).toEqual({ reports: [`${domain} 7`], deliveries: ['stored'], drift: 0 });
  expect(await ledgerOf(owner)).toEqual({ reports: [], deliveries: ['assigned'], drift: 0 });
  expect(await partsOf(owner)).toMatchObject([
    { outcome: 'assigned', message: 'Assigned to one organization.', reports: [], warnings: [] },
  ]);
});

it('gives it to the organization that monitors a parent domain, and to each of several', async () => {
  const domain = fresh();
  const { owner, mailbox } = await provider();
  const tenants = [await organization({ domains: [domain] }), await organization({ domains: [`mail.${domain}`] })];
  await mailbox.bring(reportMail({ xml: about(`mail.${domain}`) }), reportMail({ xml: about(`other.${domain}`) }));
  await done(owner, ...tenants);
  expect((await ledgerOf(tenants[0]!)).reports).toEqual([`mail.${domain} 7`, `other.${domain} 7`]);
  expect((await ledgerOf(tenants[1]!)).reports).toEqual([`mail.${domain} 7`]);
});

it('gives nothing to an organization whose domain only reports have named, or that monitors it no longer', async () => {
  const domain = fresh();
  const { owner, mailbox } = await provider();
  const claimant = await organization();
  await receive(claimant, about(domain, 'forged'));
  await settled(claimant);
  const former = await organization({ domains: [domain] });
  await former.database.db.updateTable('domain').set({ monitored: false }).where('org_id', '=', former.orgId).execute();
  await mailbox.bring(reportMail({ xml: about(domain) }));
  await done(owner, claimant, former);
  expect(await ledgerOf(owner)).toMatchObject({ reports: [], deliveries: ['refused unknown_domain'] });
  expect(await ledgerOf(claimant)).toMatchObject({ reports: [`${domain} 7`], deliveries: ['stored'] });
  expect(await ledgerOf(former)).toMatchObject({ reports: [], deliveries: [] });
});

it('gives all of a mail to the organization that it was sent to, whatever it is about', async () => {
  const [domain, others] = [fresh(), fresh()];
  const { owner, mailbox } = await provider();
  const addressee = await organization({ rua: [`Reports@${domain.toUpperCase()}`] });
  const other = await organization({ domains: [others] });
  const mail = reportMail({ xml: about(others), to: 'somebody@else.example', deliveredTo: `Reports@${domain}` });
  await mailbox.bring(mail);
  await done(owner, addressee, other);
  expect((await ledgerOf(addressee)).reports).toEqual([`${others} 7`]);
  expect((await ledgerOf(other)).deliveries).toEqual([]);
});

it('takes all of a mail that was sent to the mailbox’s owner by an address of its own, beside its domains', async () => {
  const [own, domain, others] = [`reports@${fresh()}`, fresh(), fresh()];
  const { owner, mailbox } = await provider({ rua: [own], domains: [domain] });
  const tenant = await organization({ domains: [others] });
  await mailbox.bring(
    reportMail({ xml: about(others), to: own, deliveredTo: own }),
    reportMail({ xml: about(domain), to: own, deliveredTo: own }),
  );
  await done(owner, tenant);
  expect(await ledgerOf(owner)).toEqual({
    reports: [`${domain} 7`, `${others} 7`].toSorted(),
    deliveries: ['stored', 'stored'],
    drift: 0,
  });
  expect(await ledgerOf(tenant)).toMatchObject({ reports: [], deliveries: [] });
});

it('gives a mail to its organizations that the owner had ingested before, and leaves the owner what it brought', async () => {
  const domain = fresh();
  const { owner, mailbox } = await provider();
  const tenant = await organization({ domains: [domain] });
  const mail = reportMail({ xml: about(domain) });
  await receive(owner, mail);
  await done(owner);
  await mailbox.bring(mail);
  await done(owner, tenant);
  expect(await ledgerOf(tenant)).toEqual({ reports: [`${domain} 7`], deliveries: ['stored'], drift: 0 });
  expect(await ledgerOf(owner)).toEqual({ reports: [`${domain} 7`], deliveries: ['stored'], drift: 0 });
});

it.each(['upload', 'own mailbox'])(
  'takes all of a mail that an organization brings itself, by %s, after a part of it',
  async (way) => {
    const [mine, others] = [fresh(), fresh()];
    const { owner, mailbox } = await provider();
    const tenant = await organization({ domains: [mine] });
    const mail = reportMail({ xml: Buffer.concat([about(mine), about(others)]) });
    await mailbox.bring(mail);
    await done(owner, tenant);
    expect((await ledgerOf(tenant)).reports).toEqual([`${mine} 7`]);
    if (way === 'upload') await receive(tenant, mail);
    else await (await openMailbox(tenant)).bring(mail);
    await done(tenant);
    const all = { reports: [`${mine} 7`, `${others} 7`].toSorted(), deliveries: ['stored'], drift: 0 };
    expect(await ledgerOf(tenant)).toEqual(all);
    await readAgain(owner);
    await done(owner, tenant);
    expect(await ledgerOf(tenant)).toEqual(all);
  },
);

it('takes all of a document that an organization uploads, of which a mail has brought a part', async () => {
  const [mine, others] = [fresh(), fresh()];
  const { owner, mailbox } = await provider();
  const tenant = await organization({ domains: [mine] });
  const xml = Buffer.concat([about(mine), about(others)]);
  await mailbox.bring(reportMail({ xml }));
  await done(owner, tenant);
  await receive(tenant, xml);
  await done(tenant);
  expect(await ledgerOf(tenant)).toEqual({
    reports: [`${mine} 7`, `${others} 7`].toSorted(),
    deliveries: ['stored', 'stored'],
    drift: 0,
  });
});

it('takes what its owner uploads after the shared mailbox refused it', async () => {
  const domain = fresh();
  const { owner, mailbox } = await provider();
  const mail = reportMail({ xml: about(domain) });
  await mailbox.bring(mail);
  await done(owner);
  expect(await ledgerOf(owner)).toMatchObject({ reports: [], deliveries: ['refused unknown_domain'] });
  await receive(owner, mail);
  await done(owner);
  expect(await ledgerOf(owner)).toEqual({ reports: [`${domain} 7`], deliveries: ['stored'], drift: 0 });
});

it('goes by an address in any case, and by none of an organization that is being removed', async () => {
  const [domain, gone] = [fresh(), fresh()];
  const { owner, mailbox } = await provider();
  const addressee = await organization({ rua: [`Reports+Acme@${domain}`] });
  const leaving = await organization({ rua: [`reports@${gone}`], domains: [gone] });
  await leaveOrganization(ledger.database, leaving.orgId);
  await mailbox.bring(
    reportMail({ xml: about(domain), deliveredTo: `reports+ACME@${domain}` }),
    reportMail({ xml: about(gone), deliveredTo: `reports@${gone}` }),
  );
  await done(owner, addressee);
  expect((await ledgerOf(addressee)).reports).toEqual([`${domain} 7`]);
  expect((await ledgerOf(owner)).deliveries.toSorted()).toEqual(['assigned', 'refused unknown_domain']);
});

it.each([
  ['', `inbox@${fresh()}`],
  [', in letters beyond ASCII', `Inbox@bücher.${fresh()}`],
])('does not go by an address that several organizations have, or that is the mailbox’s own%s', async (_, own) => {
  const [domain, shared] = [fresh(), `all@${fresh()}`];
  const owner = await organization({ rua: [own] });
  const mailbox = await openMailbox(owner, { shared: true, address: own });
  const tenants = [await organization({ rua: [shared], domains: [domain] }), await organization({ rua: [shared] })];
  await mailbox.bring(
    reportMail({ xml: about(domain), to: shared, deliveredTo: own.replace('bücher', 'xn--bcher-kva') }),
  );
  await done(owner, ...tenants);
  expect(await ledgerOf(owner)).toMatchObject({ reports: [], deliveries: ['assigned'] });
  expect(await ledgerOf(tenants[0]!)).toMatchObject({ reports: [`${domain} 7`], deliveries: ['stored'] });
  expect(await ledgerOf(tenants[1]!)).toMatchObject({ reports: [], deliveries: [] });
});

it('gives a placement report on all selectors of a domain to the organization that monitors the domain', async () => {
  const domain = fresh();
  const { owner, mailbox } = await provider();
  const tenant = await organization({ domains: [domain] });
  const bytes = placementJson({ dkim_domain: `*.${domain}` });
  await mailbox.bring(reportMail({ attachment: { name: 'placement.json', type: 'application/json', bytes } }));
  await done(owner, tenant);
  expect((await ledgerOf(owner)).deliveries).toEqual(['assigned']);
  const kept = ledger.database.db.selectFrom('aprf_report').select('dkim_domain').where('org_id', '=', tenant.orgId);
  expect(await kept.execute()).toEqual([{ dkim_domain: `*.${domain}` }]);
});

it('splits the reports of one mail: each organization sees only its own', async () => {
  const [a, b, nobodys] = [fresh(), fresh(), fresh()];
  const { owner, mailbox } = await provider({ domains: [a] });
  const tenant = await organization({ domains: [b] });
  const bytes = Buffer.concat([about(a), about(b), about(nobodys)]);
  await mailbox.bring(reportMail({ attachment: { name: 'reports.xml', type: 'text/xml', bytes } }));
  await done(owner, tenant);
  expect(await ledgerOf(owner)).toEqual({ reports: [`${a} 7`], deliveries: ['stored unknown_domain'], drift: 0 });
  expect(await ledgerOf(tenant)).toEqual({ reports: [`${b} 7`], deliveries: ['stored'], drift: 0 });
  const [mine, theirs] = [await partsOf(owner), await partsOf(tenant)];
  expect(mine.map(({ outcome }) => outcome).toSorted()).toEqual(['assigned', 'refused', 'stored']);
  expect(theirs).toHaveLength(1);
  expect(JSON.stringify(theirs)).not.toMatch(new RegExp(`${a}|${nobodys}|unknown_domain`));
  expect(JSON.stringify(mine)).not.toContain(theirs[0]!.reports[0]!.id);
});

it('gives unowned reports to an organization that monitors them once the mail is read again, and counts nothing twice', async () => {
  const [a, b] = [fresh(), fresh()];
  const { owner, mailbox } = await provider();
  const tenant = await organization({ domains: [a] });
  await mailbox.bring(reportMail({ xml: Buffer.concat([about(a), about(b)]) }));
  await done(owner, tenant);
  expect(await ledgerOf(owner)).toMatchObject({ deliveries: ['assigned unknown_domain'] });
  await addDomain(tenant.database.db, tenant.orgId, b, {});
  for (let round = 0; round < 3; round += 1) {
    await readAgain(owner);
    await done(owner, tenant);
  }
  expect(await ledgerOf(owner)).toMatchObject({ deliveries: ['assigned'] });
  expect(await ledgerOf(tenant)).toEqual({
    reports: [`${a} 7`, `${b} 7`].toSorted(),
    deliveries: ['stored'],
    drift: 0,
  });
});

it('gives a report too large to be held in memory to its organization alone', async () => {
  const [a, b] = [fresh(), fresh()];
  const { owner, mailbox } = await provider({ domains: [a] });
  const tenant = await organization({ domains: [b] });
  // few addresses and little failing mail, as judging is not tested
  const records = Array.from({ length: 25_000 }, (_, i) => ({
    ip: `10.0.${i % 20}.${i % 49}`,
    count: 1,
    dkim: i % 100 ? ('pass' as const) : ('fail' as const),
  }));
  const large = reportXml({ domain: b, id: randomUUID(), records });
  expect(large.length).toBeGreaterThan(8 * 1024 ** 2);
  await mailbox.bring(reportMail({ xml: large }));
  await done(owner, tenant);
  expect(await ledgerOf(owner)).toEqual({ reports: [], deliveries: ['assigned'], drift: 0 });
  expect(await ledgerOf(tenant)).toEqual({ reports: [`${b} 25000`], deliveries: ['stored'], drift: 0 });
});

it('trusts what the mailbox’s owner trusts about a mail', async () => {
  const domain = fresh();
  const { owner, mailbox } = await provider();
  const tenant = await organization({ domains: [domain] });
  const results = (verdict: string) => `mx.provider.example; dmarc=${verdict} header.from=reporter.example`;
  await mailbox.bring(
    reportMail({ xml: about(domain, 'good'), authenticationResults: results('pass') }),
    reportMail({ xml: about(domain, 'forged'), authenticationResults: results('fail') }),
    reportMail({ xml: about(domain, 'unknown'), authenticationResults: 'mx.tenant.example; dmarc=pass' }),
  );
  await done(owner, tenant);
  const rows = await tenant.database.db
    .selectFrom('report_revision as v')
    .innerJoin('report as r', 'r.id', 'v.report_id')
    .select(['r.report_id', 'v.authenticated'])
    .where('v.org_id', '=', tenant.orgId)
    .orderBy('r.report_id')
    .execute();
  expect(rows.map((row) => [row.report_id, row.authenticated])).toEqual([
    ['forged', false],
    ['good', true],
    ['unknown', null],
  ]);
});

const passing = 'mx.provider.example; dmarc=pass header.from=reporter.example';

async function evidenceOf({ database: { db }, orgId }: Organization) {
  const rows = await db.selectFrom('report_revision').select('authenticated').where('org_id', '=', orgId).execute();
  return rows.map(({ authenticated }) => authenticated);
}

it.each([
  ['before the mail', ['upload', 'mail']],
  ['after the mail', ['mail', 'upload']],
])('knows of a mail that passed also where its organization uploads it %s', async (_, order) => {
  const domain = fresh();
  const { owner, mailbox } = await provider();
  const tenant = await organization({ domains: [domain] });
  const mail = reportMail({ xml: about(domain), authenticationResults: passing });
  for (const way of order) {
    if (way === 'mail') await mailbox.bring(mail);
    else await receiveMessages(ledger, tenant.orgId, [{ content: mail, source: 'upload', name: null }]);
    await done(owner, tenant);
  }
  expect(await evidenceOf(tenant)).toEqual([true]);
  expect(await ledgerOf(tenant)).toEqual({ reports: [`${domain} 7`], deliveries: ['stored'], drift: 0 });
});

it('believes a server that the mailbox’s owner trusts by now when the mail is read again', async () => {
  const domain = fresh();
  const owner = await organization();
  const mailbox = await openMailbox(owner, { shared: true });
  const tenant = await organization({ domains: [domain] });
  await mailbox.bring(reportMail({ xml: about(domain), authenticationResults: passing }));
  await done(owner, tenant);
  expect(await evidenceOf(tenant)).toEqual([null]);
  await ledger.database.db
    .updateTable('mailbox')
    .set({ authserv_ids: ['mx.provider.example'] })
    .where('org_id', '=', owner.orgId)
    .execute();
  await readAgain(owner);
  await done(owner, tenant);
  expect(await evidenceOf(tenant)).toEqual([true]);
});

it.each([
  ['the shared one first', ['shared', 'own'], true],
  ['its own first', ['own', 'shared'], true],
  ['the shared one first, both before it is read', ['shared', 'own'], false],
  ['its own first, both before it is read', ['own', 'shared'], false],
] as const)(
  'gives a mail in a shared mailbox, and in one of its owner alone, to both: %s',
  async (_, order, areApart) => {
    const domain = fresh();
    const { owner, mailbox } = await provider();
    const tenant = await organization({ domains: [domain] });
    const boxes = { shared: mailbox, own: await openMailbox(owner) };
    const mail = reportMail({ xml: about(domain), authenticationResults: passing });
    for (const which of order) {
      await boxes[which].bring(mail);
      if (areApart) await done(owner, tenant);
    }
    await done(owner, tenant);
    const whole = { reports: [`${domain} 7`], deliveries: ['stored'], drift: 0 };
    expect([await ledgerOf(owner), await ledgerOf(tenant)]).toEqual([whole, whole]);
    expect([await evidenceOf(owner), await evidenceOf(tenant)]).toEqual([[true], [true]]);
    for (const box of Object.values(boxes)) await box.bring(mail); // again: nothing is new
    await done(owner, tenant);
    expect([await ledgerOf(owner), await ledgerOf(tenant)]).toEqual([whole, whole]);
  },
);

it.each([
  ['that trusts its server first', ['trusting', 'plain']],
  ['that trusts none first', ['plain', 'trusting']],
] as const)('knows of a mail in two mailboxes what either shows, the one %s', async (_, order) => {
  const owner = await organization();
  const boxes = {
    trusting: await openMailbox(owner, { authservIds: ['mx.provider.example'] }),
    plain: await openMailbox(owner),
  };
  const mail = reportMail({ xml: about(fresh()), authenticationResults: passing });
  for (const which of order) {
    await boxes[which].bring(mail);
    await done(owner);
  }
  expect(await evidenceOf(owner)).toEqual([true]);
});

it('keeps in the owner’s ledger what cannot be read, and shows it to no tenant', async () => {
  const domain = fresh();
  const { owner, mailbox } = await provider();
  const tenant = await organization({ domains: [domain] });
  const broken = Buffer.concat([about(domain), Buffer.from('<feedback><report_metadata></feedback>')]);
  await mailbox.bring(reportMail({ xml: broken }), reportMail({ xml: Buffer.from('<feedback><version>') }));
  await done(owner, tenant);
  const { deliveries } = await ledgerOf(owner);
  expect(deliveries.toSorted()).toEqual([
    expect.stringMatching(/^assigned xml_/),
    expect.stringMatching(/^refused xml_/),
  ]);
  expect(await ledgerOf(tenant)).toMatchObject({ reports: [`${domain} 7`], deliveries: ['stored'] });
  expect((await partsOf(tenant)).map(({ outcome }) => outcome)).toEqual(['stored']);
});

it('takes everything into its own organization from a mailbox that is not shared', async () => {
  const domain = fresh();
  const owner = await organization();
  const tenant = await organization({ domains: [domain] });
  const mailbox = await openMailbox(owner);
  await mailbox.bring(reportMail({ xml: about(domain) }));
  await done(owner, tenant);
  expect(await ledgerOf(owner)).toMatchObject({ reports: [`${domain} 7`], deliveries: ['stored'] });
  expect(await ledgerOf(tenant)).toMatchObject({ reports: [], deliveries: [] });
});

it('takes all mail of a mailbox that is no longer shared when it is read again, also that assigned to others', async () => {
  const [theirs, nobodys] = [fresh(), fresh()];
  const { owner, mailbox } = await provider();
  const tenant = await organization({ domains: [theirs] });
  await mailbox.bring(reportMail({ xml: about(theirs) }), reportMail({ xml: about(nobodys) }));
  await done(owner, tenant);
  expect((await ledgerOf(owner)).reports).toEqual([]);
  await owner.database.db.updateTable('mailbox').set({ shared: false }).where('id', '=', mailbox.id).execute();
  const preview = await previewReplay(owner, owner.orgId, {});
  expect(preview.reports).toMatchObject({ added: 2 });
  await readAgain(owner);
  await done(owner, tenant);
  const all = [`${theirs} 7`, `${nobodys} 7`].toSorted();
  expect(await ledgerOf(owner)).toEqual({ reports: all, deliveries: ['stored', 'stored'], drift: 0 });
  expect(await ledgerOf(tenant)).toMatchObject({ reports: [`${theirs} 7`], deliveries: ['stored'], drift: 0 });
  await readAgain(owner);
  await done(owner, tenant);
  expect(await ledgerOf(owner)).toEqual({ reports: all, deliveries: ['stored', 'stored'], drift: 0 });
});

it('met no fault on the way', () => {
  expect(ledger.faults).toEqual([]);
});
