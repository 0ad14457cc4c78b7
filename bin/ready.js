#!/usr/bin/env node
// Exits with 0 when the process beside it is able to work: what a container's health check runs.
const port = process.env.ADMIN_PORT?.trim() || '9090';
const host = process.env.ADMIN_HOST?.trim() || '0.0.0.0';
const own = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
const url = `http://${own.includes(':') ? `[${own}]` : own}:${port}/readyz`;
const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch((error) => ({
  ok: false,
  text: async () => String(error.cause ?? error),
}));
process.stdout.write(`${(await answer.text()).trim()}\n`);
process.exitCode = answer.ok ? 0 : 1;
