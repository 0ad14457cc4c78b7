import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ext, openApiDocument, routes } from '../src/index.ts';
import { serveApi, type Served } from './served.ts';

let served: Served;

beforeAll(async () => {
  served = await serveApi();
});
afterAll(() => served[Symbol.asyncDispose]());

describe('the extension beside version 1', () => {
  it('has an OpenAPI document of its own, for anybody', async () => {
    const { status, body } = await served.get('/ext/v1/openapi.json');
    expect(status).toBe(200);
    expect(body.servers).toEqual([expect.objectContaining({ url: '/ext/v1' })]);
    expect(Object.keys(body.paths)).toEqual(ext.routes.map(({ path }) => path));
  });

  it('has a page of its own, for anybody', async () => {
    const { status, text } = await served.get('/ext/v1/docs');
    expect(status).toBe(200);
    expect(text).toContain('/ext/v1/openapi.json');
  });

  it('leaves the document and the page of version 1 as they are', async () => {
    const { text } = await served.get('/v1/openapi.json');
    expect(text).toBe(JSON.stringify(openApiDocument(routes), null, 2));
    expect(text).not.toContain('/ext');
    expect((await served.get('/docs')).text).not.toContain('href="/ext');
  });

  it('answers unknown paths and other methods as version 1 does', async () => {
    const [there, here] = [await served.get('/v1/made-up'), await served.get('/ext/v1/made-up')];
    expect([here.status, here.text]).toEqual([there.status, there.text]);
    const posted = await fetch(`${served.url}/ext/v1/docs`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  });
});
