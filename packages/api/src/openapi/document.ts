import { geoAttribution } from '@dmarc-ledger/vocabulary';
import { tags, type Route, type Tag } from '../define-route.ts';
import { headers } from './headers.ts';
import { operationOf } from './operation.ts';
import { errorSchema, responses } from './problems.ts';
import { answerSchemas, type JsonSchema } from './schemas.ts';

export const title = 'DMARC Ledger';
export const introduction =
  "Read access to an organization's DMARC data: aggregate reports, parsed and classified, and what follows from them. " +
  'Every operation is a GET; every request is scoped to the organization that its API key is bound to. Ids are opaque, ' +
  'instants are RFC 3339 in UTC with whole seconds, rates are percentages, and what is absent is null.';

const about: { [tag in Tag]: string } = {
  Reports: 'Aggregate reports as they were received, with our verdicts.',
  Analytics: 'Figures over reports.',
  Domains: 'The domains that an organization monitors.',
  Sources: 'The addresses that send mail as these domains.',
  Events: 'Conditions that needed attention.',
  'API keys': 'What keys have done.',
  Vocabulary: 'The words that answers use.',
};

/** Returns the whole API as an OpenAPI 3.1 document, built from the table of routes. */
export function openApiDocument(routes: readonly Route[]): JsonSchema {
  const { components, answerOf } = answerSchemas(routes);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description: `${introduction}\n\nPlaces and networks, unless the operator brings other data: ${geoAttribution.text}`,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v1', description: 'Version 1. Fields are added, never renamed or removed.' }],
    tags: tags.map((name) => ({ name, description: about[name] })),
    paths: Object.fromEntries(routes.map((route) => [route.path, { get: operationOf(route, answerOf(route)) }])),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'API key',
          description: '`Authorization: Bearer <API_KEY>`',
        },
      },
      headers,
      responses,
      schemas: { Error: errorSchema, ...components },
    },
  };
}
