import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { createKey, createOrganization, setOrganization } from '@dmarc-ledger/ledger';
import { openLogger } from '@dmarc-ledger/runtime';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { newId, parseId } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startIngester, type RunningIngester } from '../src/service.ts';
import type { UploadLimits } from '../src/upload-host.ts';
import { documents } from './documents.ts';

const log = openLogger({ name: 'ingester', level: 'silent' });
const PATH = '/ingest/v1/reports';
const BYTES = 1_000_000;

let database: ClonedDatabase;
let folder: string;
let blobs: BlobStore;
let ingester: RunningIngester;
let organizations = 0;

beforeAll(async () => {
  database = await cloneDatabase();
  folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-blobs-'));
  blobs = await openBlobs(pathToFileURL(folder).href);
  const upload = { host: '127.0.0.1', port: 0, limits: { messagesAnHour: 20, bytes: BYTES } };
  ingester = await startIngester({ database, blobs, log, upload });
});
afterAll(async () => {
  await ingester.close();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** An organization with a key, and a sender that uses it. */
async function newSender(scope: 'ingest' | 'read' | 'full' = 'ingest') {
  organizations += 1;
  const { id: orgId } = await createOrganization(database.db, { name: `Sender ${organizations}` });
  const { key } = await createKey(database.db, orgId, { scope });
  const headers = { authorization: `Bearer ${key}` };
  return {
    orgId,
    post: (body: Buffer | FormData, type?: string) =>
      send('POST', PATH, { ...headers, ...(type && { 'content-type': type }) }, body),
    get: (path: string) => send('GET', path, headers),
    /** The state of a delivery once it has ended. */
    ended: async (path: string) => {
      const status = () => send('GET', path, headers);
      await vi.waitFor(async () => expect((await status()).body.finished_at).not.toBeNull(), { timeout: 30_000 });
      return (await status()).body;
    },
  };
}

async function send(method: string, path: string, headers: { [name: string]: string }, body?: Buffer | FormData) {
  const sent = Buffer.isBuffer(body) ? new Uint8Array(body) : body;
  const response = await fetch(ingester.uploadUrl + path, { method, headers, body: sent });
  // oxlint-disable-next-line typescript/no-explicit-any -- what a client gets has no type
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

describe('an upload', () => {
  it('is durable when it is accepted, and its status shows how it ended', async () => {
    const sender = await newSender();
    const xml = documents.xml('durable');
    const { status, body } = await sender.post(xml, 'text/xml');
    expect({ status, body }).toEqual({
      status: 202,
      body: {
        id: expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
        state: 'received',
        status_url: `${PATH}/${body.id}`,
      },
    });
    const row = await database.db
      .selectFrom('raw_message')
      .select('sha256')
      .where('id', '=', parseId(body.id)!)
      .executeTakeFirstOrThrow();
    expect(await (await blobs.get(row.sha256)).bytes()).toEqual(xml);
    expect(await sender.ended(body.status_url)).toMatchObject({
      id: body.id,
      state: 'stored',
      code: null,
      size: xml.length,
      parts: [{ kind: 'rua', outcome: 'stored', reports: [{ records: 1, messages: 2 }] }],
    });
  });

  it('is not accepted when its bytes could not be made durable', async () => {
    const away = await openBlobs(pathToFileURL(join(folder, 'away')).href);
    await rm(join(folder, 'away'), { recursive: true });
    const upload = { host: '127.0.0.1', port: 0 };
    const broken = await startIngester({ database, blobs: away, log, upload });
    const { id } = await createOrganization(database.db, { name: 'Unlucky' });
    const { key } = await createKey(database.db, id, { scope: 'ingest' });
    const response = await fetch(broken.uploadUrl + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: new Uint8Array(documents.xml('lost')),
    });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 500,
      body: { error: 'Internal Server Error' },
    });
    expect(await database.db.selectFrom('raw_message').select('id').where('org_id', '=', id).execute()).toEqual([]);
    await broken.close();
  });

  it('may be a document, an archive or a mail, of whatever type it is called', async () => {
    const sender = await newSender();
    const sent: [Buffer, string, string][] = [
      [documents.xml('as-xml'), 'application/xml', 'rua'],
      [gzipSync(documents.xml('as-gz')), 'application/gzip', 'rua'],
      [documents.zip('as-zip'), 'application/zip', 'rua'],
      [documents.mail('as-eml'), 'message/rfc822', 'rua'],
      [documents.tlsJson('as-json'), 'application/json', 'tlsrpt'],
      [documents.xml('as-anything'), 'application/octet-stream', 'rua'],
    ];
    for (const [bytes, type, kind] of sent) {
      const { status, body } = await sender.post(bytes, type);
      expect(status).toBe(202);
      expect(await sender.ended(body.status_url)).toMatchObject({
        state: 'stored',
        parts: [{ kind, outcome: 'stored' }],
      });
    }
  });

  it('may hold many files in a form, each a delivery of its own name', async () => {
    const sender = await newSender();
    const form = new FormData();
    form.append('note', 'fields are not files');
    for (const id of ['f1', 'f2', 'f3'])
      form.append('report', new File([new Uint8Array(documents.xml(id))], `${id}.xml`));
    form.append('report', new File(['no report'], 'broken.xml'));
    const { status, body } = await sender.post(form);
    expect(status).toBe(202);
    const ended = [];
    for (const { status_url: url } of body.deliveries) ended.push(await sender.ended(url));
    expect(ended.map(({ name, state }) => [name, state])).toEqual([
      ['f1.xml', 'stored'],
      ['f2.xml', 'stored'],
      ['f3.xml', 'stored'],
      ['broken.xml', 'refused'],
    ]);
    expect(ended[3].parts).toMatchObject([
      { outcome: 'refused', code: ended[3].code, message: expect.stringMatching(/\w/) },
    ]);
  });

  it.each([
    ['a NUL', 'filename="nul\0name.xml"', 'nulname.xml'],
    ['an encoded NUL', "filename*=UTF-8''nul%00name.xml", 'nulname.xml'],
    ['half a character', "filename*=UTF-8''half%ED%A0%80.xml", expect.stringMatching(/^half.*\.xml$/)],
    ['five thousand characters', `filename="${'n'.repeat(5_000)}"`, 'n'.repeat(255)],
    ['only a NUL', 'filename="\0"', null],
  ])('may have %s in the name of its file', async (oddity, filename, name) => {
    const sender = await newSender();
    const head = `--b\r\ncontent-disposition: form-data; name="r"; ${filename}\r\n\r\n`;
    const form = Buffer.concat([Buffer.from(head), documents.xml(`named ${oddity}`), Buffer.from('\r\n--b--\r\n')]);
    const { status, body } = await sender.post(form, 'multipart/form-data; boundary=b');
    expect(status).toBe(202);
    expect(await sender.ended(body.status_url)).toMatchObject({ name, state: 'stored' });
  });

  it('sent twice is the same delivery, with its current state', async () => {
    const sender = await newSender();
    const first = await sender.post(documents.xml('twice'));
    await sender.ended(first.body.status_url);
    expect(await sender.post(documents.xml('twice'))).toMatchObject({
      status: 202,
      body: { ...first.body, state: 'stored' },
    });
    const refused = await sender.post(Buffer.from('nothing'));
    await sender.ended(refused.body.status_url);
    expect((await sender.post(Buffer.from('nothing'))).body).toEqual({ ...refused.body, state: 'refused' });
  });

  it('sent again heals its stored bytes, and is read when they were found damaged', async () => {
    const sender = await newSender();
    const xml = documents.xml('damaged');
    const { sha256 } = await blobs.put(xml);
    const name = sha256.toString('hex');
    const path = join(folder, name.slice(0, 2), name);
    await writeFile(path, Buffer.alloc(xml.length, ' '));
    await database.db
      .insertInto('raw_message')
      .values({ org_id: sender.orgId, id: newId(), sha256, size: xml.length, source: 'upload', name: null })
      .execute();
    const statesNow = () =>
      database.db.selectFrom('raw_message').select(['state', 'code']).where('org_id', '=', sender.orgId).execute();
    await vi.waitFor(async () => expect(await statesNow()).toEqual([{ state: 'refused', code: 'blob_damaged' }]), {
      timeout: 30_000,
    });
    const { body } = await sender.post(xml);
    expect(await sender.ended(body.status_url)).toMatchObject({ state: 'stored', code: null });
    expect(await readFile(path)).toEqual(xml);
  });

  it('is each organization’s own, though the bytes are the same', async () => {
    const [one, other] = [await newSender(), await newSender()];
    const posted = [await one.post(documents.xml('shared')), await other.post(documents.xml('shared'))];
    expect(posted[0]!.body.id).not.toBe(posted[1]!.body.id);
    expect(await other.get(posted[0]!.body.status_url)).toMatchObject({
      status: 404,
      body: { error: 'Delivery Not Found' },
    });
    expect(await other.ended(posted[1]!.body.status_url)).toMatchObject({ state: 'stored' });
  });
});

describe('turned away, in the one error body,', () => {
  it('is a request without a key, which is asked for, and one whose key opens nothing', async () => {
    const sender = await newSender();
    const { body: made } = await sender.post(documents.xml('guarded'));
    for (const [method, path] of [
      ['POST', PATH],
      ['GET', made.status_url],
    ] as const) {
      const body = method === 'POST' ? documents.xml('unheard') : undefined;
      const missing = await send(method, path, {}, body);
      expect(missing).toMatchObject({ status: 401, body: { error: 'Invalid API Key' } });
      expect(missing.headers.get('www-authenticate')).toBe('Bearer realm="api"');
      for (const authorization of ['Bearer dml_AAAAAAAA_nonsense', 'Bearer x', 'Basic eDp5']) {
        const bad = await send(method, path, { authorization }, body);
        expect(bad).toMatchObject({ status: 401, body: { error: 'Invalid API Key' } });
        expect(bad.headers.get('www-authenticate')).toContain('error="invalid_token"');
      }
    }
  });

  it('is a key that only reads, with the missing permission', async () => {
    const reader = await newSender('read');
    for (const { status, body } of [await reader.post(documents.xml('read')), await reader.get(`${PATH}/x`)])
      expect({ status, body }).toEqual({
        status: 403,
        body: { error: 'Permission Denied', required: 'report:ingest' },
      });
  });

  it('is the key of an organization that is suspended', async () => {
    const sender = await newSender();
    await setOrganization(database, sender.orgId, { suspended: true });
    expect(await sender.post(documents.xml('suspended'))).toMatchObject({ status: 401 });
  });

  it('is a delivery that there is not, and a path that there is not', async () => {
    const sender = await newSender('full');
    for (const path of [`${PATH}/nonsense`, `${PATH}/01JX5T3Z8QK6W4V9N2M7R1C0BD`])
      expect(await sender.get(path)).toMatchObject({ status: 404, body: { error: 'Delivery Not Found' } });
    expect(await sender.get('/ingest/v2')).toMatchObject({ status: 404, body: { error: 'Not Found' } });
  });

  it('is what is too large, however it is sent, and leaves nothing behind', async () => {
    const sender = await newSender();
    const tooLarge = { status: 413, body: { error: 'Payload Too Large', code: 'payload_too_large' } };
    const form = new FormData();
    form.append('report', new File([Buffer.alloc(2 * BYTES)], 'large.xml'));
    expect(await sender.post(Buffer.alloc(2 * BYTES))).toMatchObject(tooLarge);
    expect(await sender.post(form)).toMatchObject(tooLarge);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    expect(
      await database.db.selectFrom('raw_message').select('id').where('org_id', '=', sender.orgId).execute(),
    ).toEqual([]);
  });

  it.each([
    ['a body', 'application/xml'],
    ['a form', 'multipart/form-data; boundary=x'],
  ])('is %s that no day has room for, for ever and not until tomorrow', async (_, type) => {
    const { orgId } = await newSender();
    const { key } = await createKey(database.db, orgId, { scope: 'ingest' });
    const headers = { authorization: `Bearer ${key}`, 'content-type': type, 'content-length': 100 * 1024 ** 3 };
    const sending = request(ingester.uploadUrl + PATH, { method: 'POST', headers });
    sending.on('error', () => {});
    sending.write('<');
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers['retry-after']]).toEqual([413, undefined]);
    sending.destroy();
  });

  it('is a type that holds no report', async () => {
    const sender = await newSender();
    for (const type of ['image/png', 'text/html; charset=utf-8', 'application/pdf'])
      expect(await sender.post(documents.xml('typed'), type)).toMatchObject({
        status: 415,
        body: { error: 'Unsupported Media Type', code: 'unsupported_media_type' },
      });
  });

  it('is a form without a file, and one that ends in the middle', async () => {
    const sender = await newSender();
    const form = new FormData();
    form.append('note', 'no file');
    expect(await sender.post(form)).toMatchObject({
      status: 400,
      body: { error: 'Nothing Was Uploaded', code: 'empty_upload' },
    });
    const cut = Buffer.from('--b\r\ncontent-disposition: form-data; name="r"; filename="r.xml"\r\n\r\nhalf');
    expect(await sender.post(cut, 'multipart/form-data; boundary=b')).toMatchObject({
      status: 400,
      body: { error: 'Bad Request' },
    });
    expect(await sender.post(cut, 'multipart/form-data')).toMatchObject({
      status: 400,
      body: { error: 'Bad Request' },
    });
  });

  it('is more than an hour allows, with when to come back; others go on', async () => {
    const [busy, other] = [await newSender(), await newSender()];
    for (let i = 0; i < 20; i += 1) expect(await busy.post(documents.xml(`b${i}`))).toMatchObject({ status: 202 });
    const spent = await busy.post(documents.xml('b20'));
    expect(spent).toMatchObject({ status: 429, body: { error: 'Too Many Uploads', code: 'rate_limited' } });
    expect(Number(spent.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await other.post(documents.xml('other'))).toMatchObject({ status: 202 });
  });
});

describe('what an organization may upload, whichever ingester it sends to,', () => {
  /** Two ingesters beside each other, and a sender that posts to either. */
  async function twoIngesters(limits: Partial<UploadLimits>, leastFreeDisk = 0) {
    const upload = { host: '127.0.0.1', port: 0, limits, leastFreeDisk };
    const both = [
      await startIngester({ database, blobs, log, upload }),
      await startIngester({ database, blobs, log, upload }),
    ];
    const { id } = await createOrganization(database.db, { name: `Sender ${(organizations += 1)}` });
    const { key } = await createKey(database.db, id, { scope: 'ingest' });
    const headers = { authorization: `Bearer ${key}` };
    const urlOf = (at: number) => `${both[at]!.uploadUrl}${PATH}`;
    return {
      headers,
      urlOf,
      async post(at: number, body: Buffer) {
        const response = await fetch(urlOf(at), { method: 'POST', headers, body: new Uint8Array(body) });
        const { code } = (await response.json()) as { code?: string };
        return { status: response.status, code, retryAfter: Number(response.headers.get('retry-after')) };
      },
      [Symbol.asyncDispose]: async () => void (await Promise.all(both.map((one) => one.close()))),
    };
  }
  const accepted = { status: 202, code: undefined, retryAfter: 0 };

  it('is so many bytes a day, and what is sent again counts too', async () => {
    const body = documents.xml('again and again');
    await using sender = await twoIngesters({ bytesADay: 3.5 * body.length });
    expect([await sender.post(0, body), await sender.post(1, body), await sender.post(0, body)]).toEqual([
      accepted,
      accepted,
      accepted,
    ]);
    const spent = await sender.post(1, body);
    expect(spent).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(spent.retryAfter).toBeGreaterThan(0);
    expect(spent.retryAfter).toBeLessThanOrEqual(86_400);
  });

  it('is so many deliveries an hour, and what is sent again counts too', async () => {
    const body = documents.xml('once more');
    await using sender = await twoIngesters({ deliveriesAnHour: 2 });
    expect([await sender.post(0, body), await sender.post(1, body)]).toEqual([accepted, accepted]);
    expect(await sender.post(0, body)).toMatchObject({ status: 429, code: 'rate_limited' });
  });

  it.each([
    ['uploads', { atOnce: 1 }, { 'content-length': 100_000 }],
    ['bytes', { bytesUnderWay: 100_000 }, { 'content-length': 100_000 }],
    ['bytes, where the length of an upload is unknown,', { bytesUnderWay: 16 * 1024 ** 2 + 100 }, {}],
  ])('is so many %s under way', async (_, limits, length) => {
    await using sender = await twoIngesters(limits);
    const sending = request(sender.urlOf(0), { method: 'POST', headers: { ...sender.headers, ...length } });
    sending.on('error', () => {});
    sending.write('begun');
    const begun = () => database.db.selectFrom('upload_under_way').select('id').execute();
    await vi.waitFor(async () => expect(await begun()).toHaveLength(1), { timeout: 30_000 });
    expect(await sender.post(1, documents.xml('beside'))).toMatchObject({ status: 429, code: 'rate_limited' });
    sending.destroy();
    await vi.waitFor(async () => expect(await begun()).toEqual([]), { timeout: 30_000 });
    expect(await sender.post(1, documents.xml('beside'))).toEqual(accepted);
  });

  it('is nothing while the disk is nearly full, with when to come back', async () => {
    await using sender = await twoIngesters({}, 1.1);
    expect(await sender.post(0, documents.xml('no room'))).toEqual({
      status: 503,
      code: 'storage_low',
      retryAfter: 60,
    });
  });

  it('is no less for what an ingester had under way that was killed', async () => {
    await using sender = await twoIngesters({ atOnce: 1 });
    const { org_id } = await database.db
      .selectFrom('organization')
      .select('id as org_id')
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    await database.db
      .insertInto('upload_under_way')
      .values({ org_id, id: newId(), claimed_by: 5, bytes: 1_000 })
      .execute();
    expect(await sender.post(0, documents.xml('after a kill'))).toEqual(accepted);
  });
});

it('forgets an upload whose sender has gone in the middle', async () => {
  const { orgId } = await newSender();
  const { key } = await createKey(database.db, orgId, { scope: 'ingest' });
  const leaving = request(ingester.uploadUrl + PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-length': 100_000 },
  });
  leaving.on('error', () => {});
  leaving.write(documents.xml('half'));
  await vi.waitFor(async () => expect(await readdir(join(folder, 'tmp'))).toHaveLength(1), { timeout: 60_000 });
  leaving.destroy();
  await vi.waitFor(async () => expect(await readdir(join(folder, 'tmp'))).toEqual([]), { timeout: 60_000 });
  expect(await database.db.selectFrom('raw_message').select('id').where('org_id', '=', orgId).execute()).toEqual([]);
});

// in less time than a connection may idle
it('ends while senders keep their connections, also those it has turned away', { timeout: 60_000 }, async () => {
  const { orgId } = await newSender();
  const { key } = await createKey(database.db, orgId, { scope: 'ingest' });
  const upload = { host: '127.0.0.1', port: 0, limits: { bytes: BYTES } };
  const ending = await startIngester({ database, blobs, log, upload });
  const headers = { authorization: `Bearer ${key}`, 'content-length': 100 * BYTES };
  const sending = request(ending.uploadUrl + PATH, { method: 'POST', headers });
  sending.on('error', () => {});
  sending.write(Buffer.alloc(2 * BYTES));
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(413);
  await fetch(ending.uploadUrl + PATH);
  await ending.close();
  sending.destroy();
});
