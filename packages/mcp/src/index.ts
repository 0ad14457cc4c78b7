export { openLedgerApi, type LedgerApi, LedgerApiError } from './ledger-api.ts';
export { makeMcpServers, type McpServers } from './make-mcp-servers.ts';
export { serveStdio } from './serve-stdio.ts';
export { listenHttp, type RunningHttp } from './listen-http.ts';
