import { gzipSync } from 'node:zlib';
import { checks, type Ask } from '@dmarc-ledger/dns-records';
import { expect, it } from 'vitest';
import { toFetched } from '../src/domains/host-answers.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const texts: { [name: string]: string } = {
  'default._bimi.firm.com': 'v=BIMI1; l=https://logo.test/l.svgz',
  '_dmarc.firm.com': 'v=DMARC1; p=reject',
};

/** What the check of BIMI says of a logo that is published like this. */
async function saidOf(body: Buffer, mediaType: string): Promise<string> {
  const ask: Pick<Ask, 'text' | 'fetch'> = {
    text: async (name) => (texts[name] === undefined ? { kind: 'none' } : { kind: 'found', values: [texts[name]] }),
    fetch: async (_host, _path, options) => toFetched({ outcome: 'fetched', body, mediaType }, options),
  };
  const context = { domain: 'firm.com', organizationalDomain: 'firm.com', now: new Date() };
  const bimi = checks.find(({ protocol }) => protocol === 'bimi')!;
  return (await bimi.run(ask as Ask, context as never)).details;
}

const good = 'The BIMI logo has no certificate, so few providers show it.';
const broken = 'The BIMI record is not usable: the logo is not an SVG.';

it.each(['image/svg+xml', 'application/gzip', 'application/octet-stream', ''])(
  'a logo may be published as SVGZ, whatever its host calls it: "%s"',
  async (mediaType) => expect(await saidOf(gzipSync(svg), mediaType)).toBe(good),
);

it.each([
  ['that is too large when it is inflated', gzipSync(Buffer.concat([Buffer.from(svg), Buffer.alloc(1024 ** 2)]))],
  ['that is cut off', gzipSync(svg).subarray(0, 20)],
  ['that only begins like one', Buffer.from([0x1f, 0x8b, 0, 0])],
  ['of something else', gzipSync('<html></html>')],
])('an SVGZ %s is no logo', async (_, body) => expect(await saidOf(body, 'image/svg+xml')).toBe(broken));

it('other documents are not inflated, as senders do not inflate a policy', () => {
  for (const mediaType of ['text/plain', 'image/svg+xml'])
    expect(toFetched({ outcome: 'fetched', body: gzipSync('version: STSv1'), mediaType })).not.toMatchObject({
      body: 'version: STSv1',
    });
});
