import { startLocalPostgres } from '@dmarc-ledger/local-postgres';

// A process that uses the server: prints the url, stops on SIGTERM, and may be killed.
const server = await startLocalPostgres({ dataDir: process.argv[2]!, settings: { fsync: 'off' } });
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
setInterval(() => {}, 1_000);
process.stdout.write(`${server.url}\n`);
