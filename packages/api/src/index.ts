export type { Caching } from './response-caches.ts';
export { ext } from './ext/index.ts';
export { FailingSources } from './auth/failing-sources.ts';
export { openApiDocument } from './openapi/document.ts';
export type { Call, Observer } from './observe.ts';
export { makeApi, type Api, type ApiOptions } from './server.ts';
export { routes } from './v1/index.ts';
