import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openBlobs } from '@dmarc-ledger/blobs';
import { expect, it } from 'vitest';
import { zip } from './hostile-deliveries.ts';
import { readHostile } from './read-hostile.ts';

const record = '<record><row><source_ip>192.0.2.1</source_ip><count>1</count></row></record>';
/** Not well-formed by its ampersand alone, which is repaired. */
const broken = (records: number, id = '1') =>
  Buffer.from(`<feedback><report_metadata><org_name>A & B</org_name><report_id>${id}</report_id>
<date_range><begin>1767225600</begin><end>1767311999</end></date_range></report_metadata>
<policy_published><domain>example.com</domain><p>none</p></policy_published>${record.repeat(records)}</feedback>`);

async function read(bytes: Buffer, source: 'mailbox' | 'upload' = 'mailbox') {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'dmarc-ledger-blobs-'));
  const { reports, records, refusals } = await readHostile(
    await openBlobs(pathToFileURL(folder.path).href),
    bytes,
    source,
  );
  return { reports, records, refusals };
}

/** Padded, so that its inflation is within the limit. */
const packed = (content: Buffer) => Buffer.concat([gzipSync(content), Buffer.alloc(content.length / 190)]);

it('a broken report of megabytes in a mail of some kilobytes is refused, and read from an upload', async () => {
  const mail = packed(broken(27_000));
  expect(mail.length).toBeLessThan(20_000);
  expect(await read(mail)).toEqual({ reports: 0, records: 0, refusals: ['xml_repair_limit'] });
  expect(await read(mail, 'upload')).toEqual({ reports: 1, records: 27_000, refusals: [] });
});

it('a broken report of the size of nearly all real ones is repaired, in a mail of any size', async () => {
  expect(await read(packed(broken(6_000)))).toEqual({ reports: 1, records: 6_000, refusals: [] });
});

it('many broken reports in one mail share what may be repaired, and the well-formed one is read', async () => {
  const fine = Buffer.from(broken(10, 'fine').toString().replace('&', 'and'));
  const members = Array.from({ length: 20 }, (_, i) => ({ name: `${i}.xml`, data: broken(700, String(i)) }));
  const { reports, refusals } = await read(zip([...members, { name: 'fine.xml', data: fine }]));
  expect([reports, refusals.length, ...new Set(refusals)]).toEqual([15, 6, 'xml_repair_limit']);
});

it('a mail of some kilobytes that becomes JSON of megabytes is refused', async () => {
  const json = Buffer.from(
    `{"a":[${Array(16_000)
      .fill('['.repeat(28) + ']'.repeat(28))
      .join(',')}]}`,
  );
  expect((await read(packed(json))).refusals).toEqual(['json_too_large']);
});
