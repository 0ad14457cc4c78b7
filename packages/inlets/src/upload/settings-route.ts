import type { FastifyInstance } from 'fastify';
import { jsonOf } from './json-body.ts';

/** What changes settings for the pages. An `HttpProblem` that these throw becomes the response. */
export interface SettingsHost {
  /** Finds the organization of a ticket in the raw headers, and uses the ticket up; refuses with 401 or 503. */
  admitChange(rawHeaders: readonly string[]): Promise<string>;
  /** Makes one change, and returns what the page shows. */
  change(orgId: string, change: unknown): Promise<object>;
}

const PATH = '/ingest/v1/settings';

/** Changes of settings that the pages may not make themselves. Only a ticket of the pages opens it, no key. */
export function addSettingsRoute(server: FastifyInstance, host: SettingsHost): void {
  server.post(PATH, async (request, reply) => {
    const orgId = await host.admitChange(request.raw.rawHeaders);
    const answer = await host.change(orgId, await jsonOf(request.raw));
    return await reply.header('cache-control', 'no-store').send(answer);
  });
}
