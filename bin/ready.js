#!/usr/bin/env node
// Exits with 0 when the process beside it is able to work: what a container's health check runs.
const { ADMIN_PORT = '9090' } = process.env;
const answer = await fetch(`http://127.0.0.1:${ADMIN_PORT}/readyz`, { signal: AbortSignal.timeout(4_000) }).catch(
  (error) => ({ ok: false, text: async () => String(error.cause ?? error) }),
);
process.stdout.write(`${(await answer.text()).trim()}\n`);
process.exitCode = answer.ok ? 0 : 1;
