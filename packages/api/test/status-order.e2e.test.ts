import { addUser, createKey, removeUser, revokeKey, setOrganization, setPlan } from '@dmarc-ledger/ledger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOrganization, serveApi, TODAY, type Served } from './served.ts';

let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Order');
});
afterAll(() => served[Symbol.asyncDispose]());

const ID = '01JX5T3Z8QK6W4V9N2M7R1C0BD';
const allRoutes = [
  '/v1/reports',
  '/v1/reports/date-range',
  `/v1/reports/${ID}`,
  '/v1/statistics',
  '/v1/trends',
  '/v1/top-sources',
  '/v1/domains',
  '/v1/sources',
  '/v1/sources/192.0.2.1',
  '/v1/api-keys/usage',
  '/v1/enums',
  '/v1/openapi.json',
  '/docs',
];

describe('any other method on a known path', () => {
  const methods = [
    'HEAD',
    'OPTIONS',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'TRACE',
    'PROPFIND',
    'QUERY',
    'FROBNICATE',
    'CONNECT',
  ];

  it.each(methods)('%s returns 405 with Allow, no body and no content type', async (method) => {
    const answer = await served.raw(`${method} /v1/reports HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/\r\nallow: GET\r\n/i);
    expect(answer).not.toMatch(/\r\ncontent-type:/i);
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
  });

  it.each(allRoutes)('holds on %s', async (path) => {
    expect(await served.raw(`DELETE ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 405 /,
    );
  });

  it('whatever its body is', async () => {
    const body = '{"broken';
    const head = `POST /v1/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    expect(await served.raw(`${head}Connection: close\r\n\r\n${body}`)).toMatch(/^HTTP\/1\.1 405 /);
  });

  it('but on an unknown path it is 404 with the error body', async () => {
    const answer = await served.raw('DELETE /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('{"error":"Not Found"}');
  });
});

describe('an unknown path returns 404 with the error body, with or without a key', () => {
  it.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/reports/',
    '//v1/reports',
    '/v1//reports',
    '/V1/reports',
    '/v1/Reports',
    '/v1/%72eports',
    '/v2/reports',
    '/v1/reports/a/b',
    '/v1/reports;x=1',
    '/v1/dashboard',
    '/v1/event',
    '/v1/api-keys',
    '/docs/',
    '/-',
    '/v1/sources/',
  ])('%s', async (path) => {
    const answer = await served.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('content-type: application/json');
    expect(answer).toContain('{"error":"Not Found"}');
  });
});

describe('the key is checked before the response reveals anything', () => {
  it.each([
    '/v1/reports?from=nonsense',
    '/v1/reports/nonsense',
    '/v1/sources/%zz',
    '/v1/sources/nonsense',
    '/v1/trends?domain=x',
  ])('%s is 401 without a key', async (path) => {
    const { status, body, headers } = await served.get(path);
    expect([status, body]).toEqual([401, { error: 'Invalid API Key' }]);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="api"');
  });

  it.each([
    ['another scheme', 'Basic abc'],
    ['no token', 'Bearer'],
    ['two tokens', 'Bearer a b'],
    ['junk', 'Bearer nonsense'],
    ['a wrong checksum', 'Bearer dml_AJn30kA1_YCTD33DJyebRifqcpAr5UTbFafL8Sl8emvJLKP0UrZr000000'],
    ['an unknown key', 'Bearer dml_AJn30kA1_YCTD33DJyebRifqcpAr5UTbFafL8Sl8emvJLKP0UrZr2IHVst'],
  ])('%s is 401, with the same body', async (_, authorization) => {
    const { status, body, headers } = await served.get('/v1/reports', { authorization });
    expect([status, body]).toEqual([401, { error: 'Invalid API Key' }]);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('of two Authorization headers none counts', async () => {
    const twice = `Authorization: Bearer ${org.key}\r\n`.repeat(2);
    expect(await served.raw(`GET /v1/statistics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${twice}\r\n`)).toMatch(
      /^HTTP\/1\.1 401 /,
    );
  });

  it('a key in a query parameter is none', async () => {
    expect((await served.get(`/v1/statistics?access_token=${org.key}`)).status).toBe(401);
  });

  it.each(['bearer', 'BEARER', 'Bearer  '])('the scheme may be written %s', async (scheme) => {
    expect((await served.get('/v1/statistics', { authorization: `${scheme} ${org.key}` })).status).toBe(200);
  });
});

describe('a key that is valid but opens nothing is 401', () => {
  async function statusOf(key: string) {
    served.forgetKeys();
    return (await served.get('/v1/statistics', { authorization: `Bearer ${key}` })).status;
  }

  it('when revoked', async () => {
    const { id, key } = await createKey(served.db, org.id, { scope: 'read' });
    expect(await statusOf(key)).toBe(200);
    await revokeKey(served.db, org.id, id);
    expect(await statusOf(key)).toBe(401);
  });

  it('when expired', async () => {
    const later = await createKey(served.db, org.id, { scope: 'read', expiresAt: new Date(TODAY.getTime() + 1) });
    const now = await createKey(served.db, org.id, { scope: 'read', expiresAt: TODAY });
    expect([await statusOf(later.key), await statusOf(now.key)]).toEqual([200, 401]);
  });

  it('when the organization is suspended, or its plan has no API', async () => {
    const other = await givenOrganization(served, 'Suspended');
    await setOrganization(served.database, other.id, { suspended: true });
    expect(await statusOf(other.key)).toBe(401);
    await setPlan(served.database, { code: 'no-api', api: false });
    await setOrganization(served.database, other.id, { suspended: false, plan: 'no-api' });
    expect(await statusOf(other.key)).toBe(401);
    await setOrganization(served.database, other.id, { plan: 'standard' });
    expect(await statusOf(other.key)).toBe(200);
  });
});

describe('a permission denial comes before the parameters are looked at, and names the permission', () => {
  const permissionOf: { [path: string]: string } = {
    '/v1/reports?from=x': 'report:read',
    '/v1/reports/date-range': 'report:read',
    '/v1/reports/x': 'report:read',
    '/v1/statistics?domain=x': 'analytics:read',
    '/v1/trends': 'analytics:read',
    '/v1/top-sources': 'analytics:read',
    '/v1/domains': 'domain:read',
    '/v1/sources': 'analytics:read',
    '/v1/sources/x': 'analytics:read',
    '/v1/api-keys/usage?days=0': 'integration:read',
    '/v1/enums': 'analytics:read',
  };

  it('for a key of scope ingest, everywhere', async () => {
    const { key } = await createKey(served.db, org.id, { scope: 'ingest' });
    for (const [path, required] of Object.entries(permissionOf)) {
      const { status, body, headers } = await served.get(path, { authorization: `Bearer ${key}` });
      expect([path, status, body]).toEqual([path, 403, { error: 'Permission Denied', required }]);
      expect(headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    }
  });

  it.each([
    ['owner', 'read', { report: 200, analytics: 200, domain: 200 }],
    ['admin', 'full', { report: 200, analytics: 200, domain: 200 }],
    ['analyst', 'full', { report: 200, analytics: 200, domain: 200 }],
    ['viewer', 'full', { report: 403, analytics: 200, domain: 200 }],
    ['integration', 'read', { report: 200, analytics: 403, domain: 403 }],
  ] as const)('the scope of a key narrows what the role of its owner allows: %s, %s', async (role, scope, allowed) => {
    const ownerEmail = `${role}@example.com`;
    await addUser(served.db, org.id, { email: `other-${role}@example.com`, role: 'owner' }); // the only one stays
    await addUser(served.db, org.id, { email: ownerEmail, role });
    const { key } = await createKey(served.db, org.id, { scope, ownerEmail });
    const status = async (path: string) => (await served.get(path, { authorization: `Bearer ${key}` })).status;
    const got = {
      report: await status('/v1/reports'),
      analytics: await status('/v1/statistics'),
      domain: await status('/v1/domains'),
    };
    expect(got).toEqual(allowed);
    await removeUser(served.db, org.id, ownerEmail);
    served.forgetKeys();
    expect([await status('/v1/reports'), await status('/v1/statistics'), await status('/v1/domains')]).toEqual([
      403, 403, 403,
    ]);
  });
});

describe('then come the parameters, and then the resource', () => {
  it.each([
    ['/reports?from=2025-02-30', 'Invalid Date Format'],
    ['/reports?to=2025-2-3', 'Invalid Date Format'],
    ['/reports/short', 'Invalid Report ID'],
    ['/reports/01JX5T3Z8QK6W4V9N2M7R1C0BU', 'Invalid Report ID'],
    ['/reports/8ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'Invalid Report ID'],
    ['/reports/%00', 'Invalid Report ID'],
    [`/reports/${'A'.repeat(400)}`, 'Invalid Report ID'],
    ['/api-keys/usage?days=91', 'Invalid Days'],
    ['/sources/192.0.2.001', 'Invalid IP Address'],
    ['/sources/192.0.2.1%2F32', 'Invalid IP Address'],
    ['/sources/fe80::1%25eth0', 'Invalid IP Address'],
    ['/sources/192.0.2.1:25', 'Invalid IP Address'],
    ['/sources/%zz', 'Invalid IP Address'],
    ['/sources/%E0%A4%A', 'Invalid IP Address'],
    ...['/statistics', '/trends', '/top-sources', '/sources'].flatMap((path) =>
      [
        'localhost',
        '192.0.2.1',
        'a_b.example',
        'x..example',
        `${'a'.repeat(64)}.example`,
        'ex%2561mple.com',
        'a%00.example',
        'example.123',
      ].map((domain) => [`${path}?domain=${domain}`, 'Invalid Domain Name']),
    ),
  ])('%s is 400, and the answer says what the parameter takes', async (path, error) => {
    const { status, body } = await org.get(path);
    expect([status, body]).toEqual([400, { error, detail: expect.stringMatching(/^\w+ must be (?:an?|the) .+\.$/) }]);
  });

  it.each([
    ['/api-keys/usage?days=91', 'days must be a whole number from 1 to 90.'],
    ['/events?to=today', 'to must be a calendar day, such as 2026-03-01.'],
    ['/domains/localhost/health', 'domain must be a domain name, such as example.com.'],
  ])('%s names the parameter and what it takes', async (path, detail) =>
    expect((await org.get(path)).body).toMatchObject({ detail }),
  );

  it.each([
    [`/reports/${ID}`, 'Report Not Found'],
    ['/sources/192.0.2.1', 'Source Not Found'],
  ])('%s is 404', async (path, error) => {
    const { status, body } = await org.get(path);
    expect([status, body]).toEqual([404, { error }]);
  });
});

describe('what is no request at all', () => {
  it.each([
    ['headers too large', `GET /v1/reports?x=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['no HTTP', 'nonsense\r\n\r\n', 400],
    ['no host', 'GET /v1/enums HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a target beyond ASCII', 'GET /v1/reports?domain=b\u00fccher.example HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ])('%s is refused with the error body', async (_, bytes, status) => {
    const answer = await served.raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\n\r\n\{"error":"[A-Z]/);
  });
});

describe('every answer', () => {
  it.each([...allRoutes, '/v1/nothing'])('%s names its request and may not be sniffed', async (path) => {
    const { headers } = await served.get(path, { authorization: `Bearer ${org.key}`, 'x-request-id': 'my-id.1' });
    expect(headers.get('x-request-id')).toBe('my-id.1');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('does not echo a harmful request id, and is not kept', async () => {
    const { headers } = await served.get('/v1/statistics', {
      authorization: `Bearer ${org.key}`,
      'x-request-id': 'a b<script>',
    });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('vary')).toBe('Authorization');
  });
});
