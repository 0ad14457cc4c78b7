import { idText } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenReports, type GivenReport } from '@dmarc-ledger/testkit';
import { Report } from '../src/v1/report-schema.ts';
import { givenOrganization, serveApi, type Served } from './served.ts';

let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Detail');
});
afterAll(() => served[Symbol.asyncDispose]());

async function shown(report: GivenReport) {
  const [id] = await givenReports(served.db, org.id, [report]);
  const { status, body, headers } = await org.get(`/reports/${idText(id!)}`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Report.safeParse(body).error).toBeUndefined();
  return { id: id!, body };
}

describe('a report', () => {
  it("has the reporter's element names, re-cased, and every key also where nothing was sent", async () => {
    const { body } = await shown({ reporter: null, reportId: null, begin: null, end: null, records: [{}] });
    expect(body).toEqual({
      Version: null,
      ReportMetadata: {
        OrgName: null,
        Email: null,
        ExtraContactInfo: null,
        ReportID: null,
        DateRange: { Begin: null, End: null },
        Errors: null,
        Generator: null,
      },
      PolicyPublished: {
        Domain: 'example.com',
        ADKIM: 'r',
        ASPF: 'r',
        P: 'none',
        SP: null,
        NP: null,
        PCT: null,
        FO: null,
        T: null,
        PSD: null,
        DiscoveryMethod: null,
      },
      Records: [
        {
          Row: {
            SourceIP: '203.0.113.5',
            Count: 1,
            PolicyEvaluated: { Disposition: 'none', DKIM: 'pass', SPF: 'pass', Reason: null },
          },
          Identifiers: { EnvelopeTo: null, EnvelopeFrom: null, HeaderFrom: 'example.com' },
          AuthResults: { DKIM: null, SPF: null },
        },
      ],
      record_classifications: ['authenticated'],
      record_alignment: [{ spf: null, dkim: null }],
      failure_summary: { spf_only: 0, dkim_only: 0, both: 0, total: 1 },
    });
  });

  it('shows all that was sent', async () => {
    const { body } = await shown({
      reporter: 'google.com',
      reportId: '<abc@x>',
      metadata: { version: '1.0', email: 'a@b.example', extraContactInfo: 'x', errors: ['e1', 'e2'], generator: 'g 1' },
      policy: {
        adkim: 's',
        aspf: 's',
        p: 'reject',
        sp: 'quarantine',
        np: 'none',
        pct: 0,
        fo: '1:d',
        testing: 'n',
        psd: 'y',
        discoveryMethod: 'psl',
      },
      records: [
        {
          ip: '2001:db8::1',
          text: '2001:DB8:0:0::1',
          count: 7,
          dkim: false,
          spf: false,
          disposition: 'quarantine',
          headerFrom: 'a.example.com',
          envelopeFrom: '',
          envelopeTo: 'to.example',
          class: 'likely_forwarded',
          reasons: [
            { type: 'forwarded', comment: null },
            { type: 'other', comment: 'odd: x' },
          ],
          dkimResults: [
            { domain: 'example.com', selector: 's1', result: 'fail', humanResult: 'bad' },
            { domain: null, selector: null, result: 'none', humanResult: null },
          ],
          spfResults: [{ domain: 'bounce.example', scope: 'mfrom', result: 'softfail' }],
          dkimAligned: [true, false],
          spfAligned: [false],
        },
      ],
      warnings: [
        { code: 'version_missing', detail: null },
        { code: 'count_zero', detail: 'record 1' },
      ],
    });
    expect(body.ReportMetadata).toMatchObject({
      OrgName: 'google.com',
      Email: 'a@b.example',
      ReportID: '<abc@x>',
      Errors: ['e1', 'e2'],
      Generator: 'g 1',
    });
    expect(body.ReportMetadata.DateRange).toEqual({ Begin: 1772323200, End: 1772409599 });
    expect(body.PolicyPublished).toEqual({
      Domain: 'example.com',
      ADKIM: 's',
      ASPF: 's',
      P: 'reject',
      SP: 'quarantine',
      NP: 'none',
      PCT: 0,
      FO: '1:d',
      T: 'n',
      PSD: 'y',
      DiscoveryMethod: 'psl',
    });
    expect(body.Records).toEqual([
      {
        Row: {
          SourceIP: '2001:DB8:0:0::1',
          Count: 7,
          PolicyEvaluated: {
            Disposition: 'quarantine',
            DKIM: 'fail',
            SPF: 'fail',
            Reason: [
              { Type: 'forwarded', Comment: null },
              { Type: 'other', Comment: 'odd: x' },
            ],
          },
        },
        Identifiers: { EnvelopeTo: 'to.example', EnvelopeFrom: '', HeaderFrom: 'a.example.com' },
        AuthResults: {
          DKIM: [
            { Domain: 'example.com', Selector: 's1', Result: 'fail', HumanResult: 'bad' },
            { Domain: null, Selector: null, Result: 'none', HumanResult: null },
          ],
          SPF: [{ Domain: 'bounce.example', Scope: 'mfrom', Result: 'softfail', HumanResult: null }],
        },
      },
    ]);
    expect(body.parse_warnings).toEqual(['version_missing', 'count_zero: record 1']);
    expect(body.record_classifications).toEqual(['likely_forwarded']);
    expect(body.record_alignment).toEqual([{ spf: [false], dkim: [true, false] }]);
    expect(body.failure_summary).toEqual({ spf_only: 0, dkim_only: 0, both: 1, total: 1 });
  });

  it('is classified and aligned before our judgement came', async () => {
    const { id } = await shown({
      records: [
        {
          dkim: false,
          spf: false,
          dkimResults: [{ domain: 'mail.example.com', selector: null, result: 'fail', humanResult: null }],
        },
        {
          dkim: true,
          spf: false,
          spfResults: [{ domain: 'other.example', scope: 'helo', result: 'pass', humanResult: null }],
        },
      ],
    });
    await served.db.updateTable('stored_record').set({ class: null }).where('report_id', '=', id).execute();
    const { body } = await org.get(`/reports/${idText(id)}`);
    expect(body.record_classifications).toEqual(['needs_review', 'authenticated']);
    expect(body.record_alignment).toEqual([
      { spf: null, dkim: [true] },
      { spf: [false], dkim: null },
    ]);
    expect(body.failure_summary).toEqual({ spf_only: 1, dkim_only: 0, both: 1, total: 2 });
  });

  it('without records has null for them, and empty lists of verdicts', async () => {
    const { body } = await shown({ records: [] });
    expect([body.Records, body.record_classifications, body.record_alignment]).toEqual([null, [], []]);
    expect(body.failure_summary.total).toBe(0);
  });

  it.each([
    (id: string) => id.toLowerCase(),
    (id: string) => id.replaceAll('1', 'l').replaceAll('0', 'O'),
    (id: string) => `${id.slice(0, 5)}-${id.slice(5)}`,
  ])('is found by the forgiving forms of its id, %s', async (form) => {
    const { id, body } = await shown({});
    expect((await org.get(`/reports/${form(idText(id))}`)).body).toEqual(body);
  });

  it('keeps the order of its records over many of them', async () => {
    const records = Array.from({ length: 1_203 }, (_, i) => ({
      count: i,
      ip: `10.0.${i >> 8}.${i & 255}`,
      dkim: i % 2 === 0,
      spf: false,
    }));
    const { body } = await shown({ records });
    expect(body.Records.map(({ Row }: { Row: { Count: number } }) => Row.Count)).toEqual(
      records.map(({ count }) => count),
    );
    expect(body.record_classifications).toEqual(records.map(({ dkim }) => (dkim ? 'authenticated' : 'needs_review')));
    expect(body.record_alignment).toHaveLength(1_203);
  });
});
