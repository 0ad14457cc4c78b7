import { describe, expect, it } from 'vitest';
import { message, part, zip } from './containers.ts';
import { gz, open, XML } from './open-delivery.ts';

const attached = part('application/gzip', gz, 'a.xml.gz');
const plain = zip([{ name: 'b.xml', data: XML }]);
const note = 'Content-Type: text/plain\r\n\r\nThis is a report.';
const readAs = (...warnings: string[]) => ({ documents: [{ text: String(XML), warnings }], refused: [] });

/** As one sender declares its attachments. */
function misdeclared(parameters = ''): string {
  return part(`multipart/alternative${parameters}`, plain, 'r!example.com!1!2.zip');
}

describe('an attachment that is declared as a multipart', () => {
  const quoted = [...gz].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  const withoutFile = part('multipart/mixed', plain);
  it.each([
    ['without a boundary', message([note, misdeclared()])],
    ['with a boundary that nothing in it has', message([note, misdeclared('; boundary="none"')])],
    ['with an empty boundary', message([note, misdeclared('; boundary=""')])],
    ['with a boundary of white space', message([note, misdeclared('; boundary=" "')])],
    ['with an empty subtype', message([note, misdeclared().replace('alternative', '')])],
    ['in capitals', message([note, misdeclared().replace('multipart/alternative', 'Multipart/Alternative')])],
    ['without a name', message([note, withoutFile])],
    [
      'in quoted-printable',
      message([`Content-Type: multipart/mixed\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quoted}`]),
    ],
    ['in no encoding', message([`Content-Type: multipart/mixed; name="a.xml"\r\n\r\n${String(XML)}`])],
    ['as a whole mail', `From: reports@harbour.example\r\n${withoutFile}\r\n`],
    ['as a whole mail with a boundary', `From: a@b.example\r\n${misdeclared('; boundary="none"')}\r\n`],
    [
      'in a forwarded message',
      message([`Content-Type: message/rfc822\r\n\r\n${message([misdeclared()], undefined, 'b1')}`]),
      'mime_forwarded_message',
    ],
  ])('is read: %s', async (_, delivery, ...before) => {
    expect(await open(delivery)).toMatchObject(readAs(...before, 'mime_type_nonstandard'));
  });

  it('is read between other reports', async () => {
    const { documents, refused } = await open(message([attached, misdeclared(), attached]));
    expect(documents.map(({ path }) => path)).toEqual(['1_a.xml.gz', '2_r!example.com!1!2.zip/b.xml', '3_a.xml.gz']);
    expect(refused).toEqual([]);
  });

  it('is refused by its name when it holds no report', async () => {
    const broken = part('multipart/alternative', 'Dear Anna', 'r!example.com!1!2.zip');
    expect(await open(message([attached, broken]))).toMatchObject({ ...readAs(), refused: ['not_a_report'] });
  });

  it.each(['base64', 'quoted-printable'])(
    'is a multipart when it has parts, whatever its encoding: %s',
    async (encoding) => {
      const header = `Content-Transfer-Encoding: ${encoding}\r\nMIME-Version`;
      expect(await open(message([note, attached]).replace('MIME-Version', header))).toMatchObject(readAs());
    },
  );
});

describe('a boundary', () => {
  const delivery = message([note, attached]);
  it.each([
    ['a space behind each', delivery.replaceAll('--b0\r\n', '--b0 \r\n')],
    ['spaces and tabs behind one', delivery.replace(/--b0\r\n(?!.*--b0\r\n)/s, '--b0 \t \r\n')],
    ['many spaces behind each', delivery.replaceAll('--b0\r\n', `--b0${' '.repeat(300)}\r\n`)],
    ['a space behind the last', delivery.replace('--b0--', '--b0-- ')],
    ['a space behind the last, which ends the mail', delivery.replace('--b0--\r\n', '--b0-- ')],
    ['a space behind each, and bare line feeds', delivery.replaceAll('--b0\r\n', '--b0 \r\n').replaceAll('\r\n', '\n')],
    ['a space at the end of its parameter', delivery.replace('boundary="b0"', 'boundary="b0 "')],
    [
      'a space there and behind each',
      delivery.replace('boundary="b0"', 'boundary="b0 "').replaceAll('--b0\r\n', '--b0 \r\n'),
    ],
  ])('is recognised with %s', async (_, padded) => {
    expect(await open(padded)).toMatchObject(readAs());
  });

  it('is recognised with white space in nested multiparts', async () => {
    const inner = message([note, attached], 'multipart/related', 'in').split('1.0\r\n')[1]!;
    const padded = message([inner, attached]).replace(/^(--(?:in|b0)(?:--)?)\r$/gm, '$1 \t\r');
    expect(await open(padded)).toMatchObject({ documents: [{}, {}], refused: [] });
  });

  it.each([
    ['other text behind it', '--b0 x'],
    ['text before it', ' --b0'],
    ['more letters', '--b0b'],
  ])('is not recognised with %s', async (_, line) => {
    const text = `Content-Type: text/plain\r\n\r\nHello.\r\n${line}\r\n${attached}`;
    expect(await open(message([text]))).toMatchObject({ documents: [], refused: ['not_a_report'] });
  });

  it('is counted with white space as without', async () => {
    const many = message(Array.from({ length: 120 }, () => note)).replaceAll('--b0\r\n', '--b0 \r\n');
    expect(await open(many)).toMatchObject({ documents: [], refused: ['mime_too_many_parts'] });
  });
});

describe('a multipart without its last boundary', () => {
  const unclosed =
    'Content-Type: multipart/alternative; boundary="in"\r\n\r\n--in\r\nContent-Type: text/html\r\n\r\n<p>Hi';
  it.each([
    ['the one around it has another part', message([unclosed, attached])],
    ['with white space', message([unclosed, attached]).replace(/^(--(?:in|b0)(?:--)?)\r$/gm, '$1 \r')],
    ['the one around it ends', message([`Content-Type: multipart/mixed; boundary="in"\r\n\r\n--in\r\n${attached}`])],
    [
      'it is two layers deep',
      message([`Content-Type: multipart/related; boundary="mid"\r\n\r\n--mid\r\n${unclosed}`, attached]),
    ],
    ['it has no part', message(['Content-Type: multipart/related; boundary="mid"\r\n\r\nHello.', attached])],
    ['it has no more than a header', message(['Content-Type: multipart/related; boundary="mid"', attached])],
    ['it is the part of the header alone', message([unclosed.split('\r\n\r\n<p>')[0]!, attached])],
  ])('ends where %s', async (_, delivery) => {
    expect(await open(delivery)).toMatchObject(readAs());
  });
});
