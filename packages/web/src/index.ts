export { makeWeb, type Web } from './make-web.ts';
export { actions, pages } from './pages/index.ts';
export type { WebOptions } from './server/web-needs.ts';
