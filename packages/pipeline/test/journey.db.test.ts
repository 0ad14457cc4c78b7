import { gzipSync } from 'node:zlib';
import { createOrganization } from '@dmarc-ledger/ledger';
import { DAY_ONE, reportXml } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driftOf, openLedger, receive, settled, type BackendName, type Ledger } from './ledger.ts';
import { findOrgTotal, findReports } from './reads.ts';

/** More than are stored in one transaction with others; a number of three. */
const RECORDS = 5_001;

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((entry) => [Math.random(), entry] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, entry]) => entry);

describe.each<BackendName>(['Postgres', 'Redis'])('with the queue on %s', (backend) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger(backend);
  });
  afterAll(() => ledger[Symbol.asyncDispose]());

  it('takes a report from its bytes to judged records and exact figures', async () => {
    const records = [
      { ip: '192.0.2.1', count: 10, dkim: 'pass' as const, spf: 'pass' as const },
      { ip: '192.0.2.2', count: 5 },
      { ip: '2001:db8::1', count: 3, reason: 'mailing_list' },
    ];
    const [id] = await ledger.handIn(gzipSync(reportXml({ id: 'journey', records })));
    await ledger.settled();
    expect(await ledger.stateOf(id!)).toBe('stored');
    const classes = await ledger.database.db
      .selectFrom('report_record')
      .select(['source_ip', 'class', 'dkim_aligned', 'spf_aligned'])
      .orderBy('position')
      .execute();
    expect(classes).toEqual([
      { source_ip: '192.0.2.1', class: 'authenticated', dkim_aligned: [true], spf_aligned: [true] },
      { source_ip: '192.0.2.2', class: 'needs_review', dkim_aligned: [true], spf_aligned: [true] },
      { source_ip: '2001:db8::1', class: 'likely_forwarded', dkim_aligned: [true], spf_aligned: [true] },
    ]);
    const day = await ledger.database.db.selectFrom('domain_day').selectAll().executeTakeFirstOrThrow();
    expect(day).toMatchObject({
      day: '2026-01-01',
      reports: 1,
      messages: 18,
      compliant: 10,
      spf_pass: 10,
      dkim_pass: 10,
      forwarded: 3,
    });
    expect(await ledger.drift()).toBe(0);
  });

  it('makes the domain that a report is about a monitored one', async () => {
    const domains = await ledger.database.db.selectFrom('domain').select(['name', 'source', 'monitored']).execute();
    expect(domains).toEqual([{ name: 'example.com', source: 'auto', monitored: true }]);
  });

  it('counts a report once, however often and in whatever wrapping it comes', async () => {
    const xml = reportXml({ id: 'again' });
    await ledger.handIn(
      ...shuffled([
        xml,
        gzipSync(xml),
        gzipSync(xml, { level: 1 }),
        Buffer.concat([xml, Buffer.from('\n')]),
        Buffer.from(xml.toString().replace('<sp>none</sp>', '<sp>none</sp>\n')),
      ]),
    );
    await ledger.settled();
    expect((await findReports(ledger, { search: 'again' })).total).toBe(1);
    expect(await ledger.drift()).toBe(0);
  });

  it('counts one of several differing copies, the same whatever their order', async () => {
    const copies = [
      reportXml({ records: [{ ip: '192.0.2.7', count: 3 }], id: 'differs' }),
      reportXml({
        records: [
          { ip: '192.0.2.7', count: 3 },
          { ip: '192.0.2.8', count: 4, dkim: 'pass' },
        ],
        id: 'differs',
      }),
      reportXml({ records: [{ ip: '192.0.2.9', count: 900 }], id: 'differs' }),
    ];
    const countedIn = async (round: number) => {
      const { id: orgId } = await createOrganization(ledger.database.db, { name: `Round ${round}` });
      const other = { ...ledger, orgId };
      for (const copy of shuffled(copies)) {
        await receive(other, copy);
        if (round % 2 === 0) await settled(other);
      }
      await settled(other);
      const { rows, total } = await findReports(other, {});
      expect(total).toBe(1);
      const warnings = await ledger.database.db
        .selectFrom('parse_warning')
        .select('code')
        .where('report_id', '=', rows[0]!.id)
        .execute();
      expect(warnings.map(({ code }) => code)).toContain('duplicate_report_id_conflict');
      expect(await driftOf(other)).toBe(0);
      return rows[0]!.messages;
    };
    const counted = await Promise.all([0, 1, 2, 3, 4, 5].map(countedIn));
    expect(new Set(counted)).toHaveLength(1);
  });

  it('keeps reports apart that share an id but not the window, the reporter or the domain', async () => {
    await ledger.handIn(
      reportXml({ id: 'shared' }),
      reportXml({ id: 'shared', begin: DAY_ONE + 86_400 }),
      reportXml({ id: 'shared', email: 'dmarc@other.example' }),
      reportXml({ id: 'shared', domain: 'example.net' }),
    );
    await ledger.settled();
    expect((await findReports(ledger, { search: 'shared' })).total).toBe(4);
  });

  it('keeps the good report beside a broken one, and says what was wrong', async () => {
    const [good, broken] = await ledger.handIn(reportXml({ id: 'beside' }), Buffer.from('<feedback><report_metadata>'));
    await ledger.settled();
    expect(await ledger.stateOf(good!)).toBe('stored');
    const delivery = await ledger.database.db
      .selectFrom('raw_message')
      .select(['state', 'code'])
      .where('id', '=', broken!)
      .executeTakeFirstOrThrow();
    expect(delivery).toMatchObject({ state: 'refused', code: expect.stringMatching(/^xml_/) });
  });

  it('stores a report too large to be held in memory, once, from several deliveries at a time', async () => {
    const records = Array.from({ length: RECORDS }, (_, i) => ({
      ip: `10.0.0.${i % 49}`,
      count: 2,
      dkim: i % 3 ? ('pass' as const) : ('fail' as const),
    }));
    const many = reportXml({ id: 'large', records }).toString();
    const xml = Buffer.from(many.replaceAll('</record>', `${' '.repeat(1_200)}</record>`));
    expect(xml.length).toBeGreaterThan(8 * 1024 ** 2);
    await ledger.handIn(gzipSync(xml), gzipSync(xml, { level: 1 }), Buffer.concat([xml, Buffer.from('\n')]));
    await ledger.settled();
    const { rows } = await findReports(ledger, { search: 'large' });
    expect(rows).toMatchObject([{ records: RECORDS, messages: 2 * RECORDS, compliant: (RECORDS / 3) * 4 }]);
    expect(await ledger.drift()).toBe(0);
  });

  it('gives every message back to the totals', async () => {
    const { rows } = await findReports(ledger, {});
    const total = await findOrgTotal(ledger);
    expect(total).toMatchObject({
      reports: rows.length,
      messages: rows.reduce((sum, { messages }) => sum + messages, 0),
    });
    expect(ledger.faults).toEqual([]);
  });
});
