import { makeApi, openApiDocument, routes } from '@dmarc-ledger/api';
import { addDomain, createKey, setOrganization } from '@dmarc-ledger/ledger';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { givenSignatures } from '@dmarc-ledger/testkit';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { checkDomain, computeHealth } from '../../src/index.ts';
import { openLedger, type Ledger } from '../ledger.ts';
import type { Published } from './published.ts';
import { realDns, type RealDns } from './real-dns.ts';

export const NOW = new Date('2026-03-10T12:00:00Z');
const DAY = '2026-03-09';

/** The response that a client gets. */
interface Got {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- of whatever shape the endpoint has
  body: any;
}

/** The ledger, real DNS and the API over HTTP, where it is always the same noon. */
export interface HealthFixture extends AsyncDisposable {
  ledger: Ledger;
  dns: RealDns;
  /** Asks for a path under `/v1`, or under `/ext`. */
  get(path: string, key?: string): Promise<Got>;
  /** Monitors domains as a person does, with signatures that reports have named. */
  monitor(published: readonly Published[]): Promise<void>;
  /** Checks what all monitored domains but these publish. */
  check(but?: readonly string[]): Promise<void>;
  /** Computes their health, as the job does. */
  compute(): Promise<void>;
}

export async function openHealthFixture(published: readonly Published[]): Promise<HealthFixture> {
  const dns = await realDns(published);
  const ledger = await openLedger('Postgres');
  const { database, orgId } = ledger;
  await setOrganization(database, orgId, { reportAddresses: ['rua@ledger.example'] });
  const api = makeApi({ db: database.db, reads: database.reads, now: () => NOW });
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  const own = await createKey(database.db, orgId, { scope: 'read' });
  const monitored = () =>
    database.db
      .selectFrom('domain')
      .select(['id', 'name'])
      .where('monitored', '=', true)
      .where('org_id', '=', orgId)
      .execute();
  const needs = { database, organizationalDomain: publicSuffixDomains(), ask: dns.askDns(), now: () => NOW };
  return {
    ledger,
    dns,
    async get(path, key = own.key) {
      const response = await fetch(`${url}${path.startsWith('/ext/') ? '' : '/v1'}${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return { status: response.status, body: await response.json() };
    },
    async monitor(those) {
      for (const { domain, selectors = [] } of those) {
        const { id } = await addDomain(database.db, orgId, domain, {});
        const seen = selectors.map(([selector, signer]) => ({ domainId: id, selector, signer, day: DAY, messages: 1 }));
        await givenSignatures(database.db, orgId, seen);
      }
    },
    async check(but = []) {
      const domains = (await monitored()).filter(({ name }) => !but.includes(name));
      await Promise.all(domains.map(({ id }) => checkDomain(needs, { orgId, domainId: id })));
    },
    async compute() {
      for (const { id } of await monitored()) await computeHealth(needs, { orgId, domainId: id });
    },
    async [Symbol.asyncDispose]() {
      await api.close();
      await ledger[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
}

/** The differences of an endpoint's response from the OpenAPI document. */
export function schemaOf(path: string): ValidateFunction {
  const document = JSON.parse(JSON.stringify(openApiDocument(routes))) as {
    paths: {
      [path: string]: { get: { responses: { [status: string]: { content: { [type: string]: { schema: object } } } } } };
    };
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'openapi', ...document });
  const { schema } = document.paths[path]!.get.responses['200']!.content['application/json']!;
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('#/components', 'openapi#/components')) as object);
}
