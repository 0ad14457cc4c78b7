import type { Route } from '../define-route.ts';
import { describeParameter } from '../parameters/described.ts';
import { headerRef, onMeteredAnswer } from './headers.ts';
import { refusedResponse, unavailableResponse } from './problems.ts';
import type { JsonSchema } from './schemas.ts';

/** Returns one endpoint as an OpenAPI operation. */
export function operationOf(route: Route, answer: JsonSchema): JsonSchema {
  const { operationId, summary, description, tag, permission, heavy, takesPassword } = route;
  const budget = heavy === undefined ? '' : ' Heavy: what has to be computed is paid from a budget of its own.';
  return {
    operationId,
    summary,
    description:
      `${description ? `${description}\n\n` : ''}Permission: \`${permission}\`. Key scopes: \`read\`, ` +
      `\`full\`.${budget}`,
    tags: [tag],
    security: [{ apiKey: [] }, ...(takesPassword ? [{ apiKeyAsPassword: [] }] : [])],
    parameters: parametersOf(route),
    responses: { 200: success(route, answer), ...refusals(route) },
  };
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  schema: JsonSchema;
}

export function parametersOf({ params, query }: Pick<Route, 'params' | 'query'>): Parameter[] {
  const inPath = Object.entries(params.shape).map(([name, reader]) => ({
    name,
    in: 'path' as const,
    required: true,
    ...describeParameter(reader),
  }));
  const inQuery = Object.entries(query.shape).map(([name, reader]) => ({
    name,
    in: 'query' as const,
    required: false,
    ...describeParameter(reader),
  }));
  return [...inPath, ...inQuery];
}

function success({ attachments = {}, example, mediaType = 'application/json' }: Route, schema: JsonSchema) {
  const files = Object.entries(attachments).map(([type, description]) => [
    type,
    { schema: { type: 'string', description } },
  ]);
  return {
    description: 'Success.',
    headers: { ...onMeteredAnswer, ...(files.length > 0 ? { 'Content-Disposition': headerRef('Disposition') } : {}) },
    content: { [mediaType]: { schema, example }, ...Object.fromEntries(files) },
  };
}

function refusals({ errors, heavy }: Route) {
  const own = ([400, 404] as const).flatMap((status) => {
    const description = errors[status];
    return description === undefined ? [] : [[status, refusedResponse(status, description)]];
  });
  return {
    400: { $ref: '#/components/responses/BadRequest' },
    ...Object.fromEntries(own),
    408: { $ref: '#/components/responses/RequestTimeout' },
    431: { $ref: '#/components/responses/HeadersTooLarge' },
    401: { $ref: '#/components/responses/Unauthorized' },
    403: { $ref: '#/components/responses/Forbidden' },
    429: { $ref: '#/components/responses/TooManyRequests' },
    500: { $ref: '#/components/responses/Unexpected' },
    503: unavailability(errors[503], heavy === true),
  };
}

function unavailability(own: string | undefined, isCapped: boolean): JsonSchema {
  if (isCapped) return { $ref: '#/components/responses/UnavailableOrBusy' };
  return own === undefined ? { $ref: '#/components/responses/Unavailable' } : unavailableResponse(own);
}
