import { once } from 'node:events';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { McpServers } from './make-mcp-servers.ts';

/**
 * Serves MCP on standard input and output until the client closes the input.
 *
 * @param key the API key of the user who started the process
 */
export async function serveStdio(servers: McpServers, key: string): Promise<void> {
  const handle = serve(() => servers.make(key));
  await once(process.stdin, 'close');
  await handle.close();
}
