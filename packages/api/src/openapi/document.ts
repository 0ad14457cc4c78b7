import { geoAttribution } from '@dmarc-ledger/vocabulary';
import type { Route } from '../define-route.ts';
import type { TableDescription } from '../route-table.ts';
import { aboutV1 } from '../v1/table.ts';
import { headers } from './headers.ts';
import { operationOf } from './operation.ts';
import { errorSchema, responses } from './problems.ts';
import { answerSchemas, type JsonSchema } from './schemas.ts';

export const title = 'DMARC Ledger';

/**
 * Returns the routes of one table as an OpenAPI 3.1 document.
 *
 * @param about what the document says as a whole; unset: that of version 1
 */
export function openApiDocument(routes: readonly Route[], about: TableDescription = aboutV1): JsonSchema {
  const { components, answerOf } = answerSchemas(routes);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description:
        `${about.introduction}\n\nPlaces and networks, unless the operator brings other data: ` + geoAttribution.text,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.basePath, description: about.promise }],
    tags: Object.entries(about.tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(routes.map((route) => [route.path, { get: operationOf(route, answerOf(route)) }])),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'API key',
          description: '`Authorization: Bearer <API_KEY>`',
        },
        ...(routes.some(({ takesPassword }) => takesPassword) && {
          apiKeyAsPassword: {
            type: 'http',
            scheme: 'basic',
            description: 'Any user name, and the API key as the password.',
          },
        }),
      },
      headers,
      responses,
      schemas: { Error: errorSchema, ...components },
    },
  };
}
