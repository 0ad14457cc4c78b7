import { databaseEnv } from '@dmarc-ledger/db';
import { apiEnv, logEnv, openLogger, readEnv, runService } from '@dmarc-ledger/runtime';
import { startApi } from './service.ts';

const { DATABASE_URL, HOST, PORT, LOG_LEVEL } = readEnv(
  { ...databaseEnv, DATABASE_URL: databaseEnv.DATABASE_URL.unwrap(), ...apiEnv, ...logEnv },
  process.env,
);
const log = openLogger({ name: 'api', level: LOG_LEVEL });

await runService(
  'api',
  async (use) => {
    const api = await startApi({ databaseUrl: DATABASE_URL, host: HOST, port: PORT, log });
    use(api, (running) => running.close());
    log.info({ event: 'api.listening', url: api.url }, 'serving v1');
  },
  { log },
);
