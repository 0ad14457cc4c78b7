import { type LedgerApi, LedgerApiError } from './ledger-api.ts';

/** The documents that describe what can be asked. */
const documents = ['/v1/openapi.json', '/ext/v1/openapi.json'];

interface Schema {
  [keyword: string]: unknown;
}

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  schema: Schema;
}

/** An endpoint of the API that answers JSON. */
export interface Operation {
  /** The name of the tool. */
  name: string;
  /** With parameters in braces, below the origin. */
  path: string;
  summary: string;
  description: string;
  parameters: Parameter[];
}

interface Document {
  servers: { url: string }[];
  paths: {
    [path: string]: {
      get: {
        operationId: string;
        summary: string;
        description: string;
        parameters: Parameter[];
        responses: { 200: { content: { [mediaType: string]: unknown } } };
      };
    };
  };
}

/** Reads which endpoints the API has: they are those of the version that runs. */
export async function readOperations(api: LedgerApi): Promise<Operation[]> {
  return (await Promise.all(documents.map((path) => readDocument(api, path)))).flat();
}

async function readDocument(api: LedgerApi, path: string): Promise<Operation[]> {
  const { status, text } = await api.get(path);
  const unknown = (cause?: unknown) =>
    new LedgerApiError('api_unknown', `${api.origin} has no ${path}: is it DMARC Ledger?`, { cause });
  if (status !== 200) throw unknown();
  try {
    return operationsOf(JSON.parse(text));
  } catch (error) {
    throw unknown(error); // a page for people, or what another API has there
  }
}

function operationsOf({ servers: [server], paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const { operationId: name, summary, description, parameters, responses } = get;
    if (!('application/json' in responses[200].content)) return [];
    return [{ name, path: `${server?.url ?? ''}${path}`, summary, description, parameters }];
  });
}

/** What a tool takes, as JSON Schema. */
export function inputSchemaOf({ parameters }: Operation): Schema {
  const properties = parameters.map(({ name, description, schema: { type, enum: words, minimum, maximum } }) => [
    name,
    // formats are left to the API, which explains what it refuses
    JSON.parse(JSON.stringify({ type, enum: words, minimum, maximum, description })),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Rows of a page unless more are asked for: an assistant reads every one. */
const ROWS = 20;

/** The address of a call, with its arguments. */
export function pathOf({ path, parameters }: Operation, given: { [name: string]: unknown }): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place } of parameters) {
    const value = given[name] ?? (name === 'limit' ? ROWS : undefined);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, String(value));
  }
  return query.size > 0 ? `${filled}?${query.toString()}` : filled;
}
