import { describe, expect, it } from 'vitest';
import { message, part, zip } from './containers.ts';
import { gz, open, XML } from './open-delivery.ts';

describe('a message', () => {
  const attached = part('application/gzip', gz, 'a!b!1!2.xml.gz');
  const note = 'Content-Type: text/plain\r\n\r\nThis is a report.';
  it.each([
    ['an attachment', message([note, attached]), []],
    ['a body that is the archive', `From: a@b.example\r\n${attached}\r\n`, []],
    ['a declared type that is wrong', message([part('application/zip', gz, 'a.zip')]), ['mime_type_mismatch']],
    ['octet-stream', message([part('application/octet-stream', gz, 'a.gz')]), ['mime_type_octet_stream']],
    ['an odd type', message([part('application/x-gzip', gz)]), ['mime_type_nonstandard']],
    ['no declared type', message([attached.replace(/Content-Type: [^\r]*\r\n/, '')]), ['mime_no_content_type']],
    ['a misspelled header', message([attached.replace('Content-Type', 'ContentType')]), ['mime_header_misspelled']],
    [
      'a forwarded message',
      message([`Content-Type: message/rfc822\r\n\r\n${message([attached], undefined, 'b1')}`]),
      ['mime_forwarded_message'],
    ],
    [
      'a digest, whose parts need not say that they are messages',
      message([`\r\n${message([attached], undefined, 'b1')}`], 'multipart/digest'),
      ['mime_forwarded_message'],
    ],
    [
      'a message as a file',
      message([part('application/octet-stream', message([attached], undefined, 'b1'), 'f.eml')]),
      ['mime_type_octet_stream', 'mime_forwarded_message'],
    ],
    [
      'a signature',
      message(
        [
          message([attached], 'multipart/mixed', 'b1').split('MIME-Version: 1.0\r\n')[1]!,
          part('application/pkcs7-signature', 'x'),
        ],
        'multipart/signed',
      ),
      [],
    ],
    [
      'a pasted report',
      message([`Content-Type: text/plain\r\n\r\nHere it is:\r\n${XML.toString()}\r\nbye`]),
      ['mime_inline_xml'],
    ],
    [
      'base64 without padding',
      message([attached.replace(/=+$/, '')]),
      attached.endsWith('=') ? ['mime_base64_loose'] : [],
    ],
    ['base64 with spaces in it', message([attached.replace(/([^\r\n]{2})$/, ' $1')]), ['mime_base64_loose']],
    ['an mbox separator', `From a@b Thu Jan  2 03:04:05 2025\n${message([attached])}`, []],
    ['blank lines and a byte order mark before it', `\uFEFF\r\n\r\n${message([attached])}`, []],
  ])('with %s', async (_, delivery, warnings) => {
    expect(await open(delivery)).toMatchObject({ documents: [{ text: String(XML), warnings }], refused: [] });
  });

  it.each([
    ['no report', message([note]), 'not_a_report'],
    [
      'a deep structure',
      Array.from({ length: 20 }, (_, i) => `Content-Type: multipart/mixed; boundary="d${i}"\r\n\r\n--d${i}\r\n`).join(
        '',
      ),
      'mime_too_deep',
    ],
    ['too many parts', message(Array.from({ length: 120 }, () => note)), 'mime_too_many_parts'],
    ['a long header', `X-Long: ${'a'.repeat(70_000)}\r\n${message([attached])}`, 'header_too_large'],
    ['many headers', `${'X-More: a\r\n'.repeat(30_000)}${message([attached])}`, 'header_too_large'],
    [
      'messages in messages',
      `${'Content-Type: message/rfc822\r\n\r\n'.repeat(40)}${message([attached])}`,
      'mime_too_deep',
    ],
    [
      'an opaque signature',
      message([part('application/pkcs7-mime', Buffer.from('3082', 'hex'), 'smime.p7m')]),
      'unsupported_container',
    ],
    ['an empty attachment', message([part('application/gzip', '', 'a.gz')]), 'empty_container'],
  ])('is refused with %s', async (_, delivery, code) => {
    expect(await open(delivery)).toMatchObject({ documents: [], refused: [code] });
  });

  it('gives the first ten reports of many', async () => {
    const { documents, refused } = await open(message(Array.from({ length: 14 }, () => attached)));
    expect([documents.length, refused]).toEqual([10, ['too_many_attachments']]);
  });

  it('returns when it was received', async () => {
    expect((await open(message([attached]))).mail).toMatchObject({ receivedAt: Date.UTC(2025, 0, 2, 3, 4, 5) / 1000 });
    expect((await open(message([attached]).replaceAll('; Thu, 2 Jan 2025', '; some day'))).mail).toMatchObject({
      receivedAt: null,
    });
  });

  it('reads its delivery from its own header, and ignores messages and parts inside it', async () => {
    const inner = `From: x@inner.example\r\nDelivered-To: y@inner.example\r\n${message([attached], undefined, 'b1')}`;
    const header = [
      'Authentication-Results: mx.one; dmarc=pass\r\n (folded) header.from=a.example',
      'Delivered-To: Reports+a@ORG.example',
      'Authentication-Results: mx.two; dmarc=fail',
      'From: "Noise, <q@quoted.example>" <dmarc@Reporter.Example> (c@comment.example)',
      'To: <a@one.example>, "B, c" <b@two.example>,',
      '\t a@one.example, not an address, x@nodots',
      'X-Forwarded-To: z@xn--mnchen-3ya.example',
    ].join('\r\n');
    const { mail } = await open(
      `${header}\r\n${message([`Content-Type: message/rfc822\r\n\r\n${inner}`]).replace(/^From: .*\r\n/im, '')}`,
    );
    expect(mail).toMatchObject({
      from: 'reporter.example',
      recipients: ['Reports+a@org.example', 'a@one.example', 'b@two.example', 'z@xn--mnchen-3ya.example'],
      trace: [
        { name: 'authentication-results', value: 'mx.one; dmarc=pass (folded) header.from=a.example' },
        { name: 'authentication-results', value: 'mx.two; dmarc=fail' },
        { name: 'received', value: expect.stringContaining('by mx.shop.example') },
        { name: 'received', value: expect.stringContaining('by mx.harbour.example') },
      ],
    });
  });

  it.each([
    ['two fields', 'From: a@one.example\r\nFrom: b@two.example'],
    ['two domains in one field', 'From: a@one.example, b@two.example'],
    ['a name that looks like another address', 'From: a@one.example <b@two.example>'],
    ['no domain', 'From: somebody'],
    ['no such field', 'Subject: x'],
  ])('has no From domain with %s', async (_, header) => {
    expect((await open(`${header}\r\n${message([attached]).replace(/^From: .*\r\n/im, '')}`)).mail).toMatchObject({
      from: null,
    });
  });

  it.each([
    [
      'an address in a quoted local part',
      '<"dmarc@reporter.example"@evil.example>',
      'evil.example',
      'quoted@evil.example',
    ],
    ['a quoted local part', '"reports+a"@org.example', 'org.example', 'reports+a@org.example'],
    ['a name with escaped quotes', '"A \\"<b@evil.example>\\"" <c@org.example>', 'org.example', 'c@org.example'],
    ['a quoted name before a quoted local part', '"A, b" <"c"@org.example>', 'org.example', 'c@org.example'],
  ])('reads %s', async (_, field, from, recipient) => {
    const header = `From: ${field}\r\nDelivered-To: ${field}\r\n`;
    const { mail } = await open(`${header}${message([attached]).replace(/^From: .*\r\n/im, '')}`);
    expect(mail?.from).toBe(from);
    expect(mail?.recipients).toContain(recipient);
  });

  it.each(['', '\r\n'])('keeps what a server found about hundreds of signatures, folded or not', async (fold) => {
    const signatures = `;${fold} dkim=fail header.d=${'a'.repeat(60)}.example`.repeat(500);
    const { mail } = await open(`Authentication-Results: mx${signatures};${fold} dmarc=fail\r\n${message([attached])}`);
    expect(mail?.trace[0]?.value).toMatch(/; dmarc=fail$/);
  });

  it('keeps a bounded number of fields and addresses', async () => {
    const many = Array.from(
      { length: 200 },
      (_, i) => `To: a${i}@x.example\r\nAuthentication-Results: mx; spf=pass\r\nReceived: by mx\r\n`,
    );
    const { mail } = await open(many.join('') + message([attached]));
    const count = (of: string) => mail?.trace.filter(({ name }) => name === of).length;
    expect([mail?.recipients.length, count('authentication-results'), count('received')]).toEqual([50, 16, 100]);
  });

  it.each(['\\"', '\\('])('takes no longer for address fields made to be slow by many %s', async (escape) => {
    const fields = (count: number, pairs: number) => {
      const line = escape.repeat(pairs);
      return `To: "(${line}\r\n ${line}\r\n`.repeat(count);
    };
    const fastest = async (header: string) => {
      const runs: number[] = [];
      for (let run = 0; run < 3; run += 1) {
        const started = process.threadCpuUsage();
        await open(header + message([attached]));
        runs.push(process.threadCpuUsage(started).user);
      }
      return Math.max(10_000, Math.min(...runs)); // the clock of a thread may tick no finer than 10 ms
    };
    const short = await fastest(fields(600, 100));
    expect(await fastest(fields(30, 2_000))).toBeLessThan(5 * short); // a quadratic search takes 20 times as long
  });

  it.each([
    ['multipart/mixed', 'mime_too_many_parts'],
    ['text/plain', 'mail_malformed'],
    ['m\u00ffultipart/report', 'mail_malformed'],
  ])('is refused when it has more parts than are read, also when its own type has none: %s', async (type, code) => {
    const { documents, refused } = await open(message(Array<string>(250).fill(note), type));
    expect({ documents, refused }).toEqual({ documents: [], refused: [code] });
  });

  it.each(['b1', 'b0'])(
    'is a failure report, and the message it is about is left closed (boundary %s)',
    async (boundary) => {
      const fields = 'Feedback-Type: auth-failure\r\nVersion: 1';
      const original = `Content-Type: message/rfc822\r\n\r\n${message([attached], undefined, boundary)}`;
      const { documents } = await open(
        message(
          [`Content-Type: message/feedback-report\r\n\r\n${fields}`, original],
          'multipart/report; report-type=feedback-report',
        ),
      );
      expect(documents).toMatchObject([{ kind: 'failure-report', text: fields }]);
    },
  );
});

describe('a part beside a report that is none', () => {
  const utf32 = Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]);
  it.each<[string, string, Buffer | string, string[]]>([
    ['is refused by a report’s own name', 'google.com!h.example!1763769600!1763855999.xml', utf32, ['not_a_report']],
    [
      'is refused by such a name without an ending',
      'google.com!h.example!1763769600!1763855999',
      'x',
      ['not_a_report'],
    ],
    ['is refused by the ending of its name', 'b.xml.gz', '<html><body>An error</body></html>', ['not_a_report']],
    ['is refused when it is empty', 'b.xml.gz', '', ['empty_container']],
    ['is refused as a zip without members', 'b.zip', zip([]), ['empty_container']],
    ['is passed over as a note', 'note.txt', 'Dear Anna', []],
    ['is passed over as a page', 'disclaimer.html', '<html></html>', []],
    ['is passed over as an image', 'logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47]), []],
  ])('%s: %s', async (_, name, bytes, refused) => {
    const delivery = message([part('application/gzip', gz, 'a.xml.gz'), part('application/octet-stream', bytes, name)]);
    expect(await open(delivery)).toMatchObject({ documents: [{ text: String(XML) }], refused });
  });

  it('is refused in an archive as well', async () => {
    const members = [
      { name: 'a.xml', data: XML },
      { name: 'b.xml', data: utf32 },
      { name: 'c.xml.gz', data: Buffer.from('<html></html>') },
      { name: 'readme.txt', data: Buffer.from('Dear Anna') },
    ];
    expect(await open(zip(members))).toMatchObject({
      documents: [{ text: String(XML) }],
      refused: ['not_a_report', 'not_a_report'],
    });
  });

  it('is evidence in a failure report, whatever its name', async () => {
    const delivery = message(
      [
        'Content-Type: text/plain\r\n\r\nA failure.',
        'Content-Type: message/feedback-report\r\n\r\nFeedback-Type: auth-failure\r\n',
        part('application/octet-stream', utf32, 'a.xml'),
      ],
      'multipart/report; report-type=feedback-report',
    );
    expect((await open(delivery)).refused).toEqual([]);
  });

  it('keeps no report out, however many there are', async () => {
    const many = Array.from({ length: 50 }, (_, i) => part('application/octet-stream', utf32, `${i}.xml`));
    const { documents, refused } = await open(message([...many, part('application/gzip', gz, 'a.xml.gz')]));
    expect(documents).toMatchObject([{ text: String(XML) }]);
    expect(refused).toEqual(many.map(() => 'not_a_report'));
  });
});
