import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { putInstallationState } from '@dmarc-ledger/ledger';
import { openDatabase } from '@dmarc-ledger/schema';
import { lookupEnv, notificationEnv, openLogger, readEnv } from '@dmarc-ledger/runtime';
import { installationEnv, openDatabaseServer, openInstallation } from '@dmarc-ledger/standalone-service/installation';
import { openLookups } from '@dmarc-ledger/worker-service';
import { geoAttribution } from '@dmarc-ledger/vocabulary';
import { checkDatabase, checkWork } from '@dmarc-ledger/pipeline';
import { Command } from 'commander';
import { adviceOf } from '../doctor/advice.ts';
import { checkBlobs } from '../doctor/check-blobs.ts';
import { checkSchema } from '../doctor/check-schema.ts';
import { checkMailboxes } from '../doctor/check-mailboxes.ts';
import { checkDisk, mendOf } from '../doctor/check-disk.ts';
import { checkMail } from '../doctor/check-mail.ts';
import { checkDns, checkGeo } from '../doctor/check-outside.ts';
import { checkQueue } from '../doctor/check-queue.ts';
import { error, reasonOf, type Finding } from '../doctor/finding.ts';
import { examples, jsonOption } from '../options.ts';
import { printJson, printTable } from '../print.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'check database, queue, raw bytes, DNS, geo data, mail and mailboxes, and say how to repair what is wrong',
    )
    .addOption(jsonOption())
    .addHelpText('after', examples('doctor'))
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine();
      if (findings.some(({ state }) => state === 'error')) process.exitCode = 1;
      if (json) return printJson(findings);
      printTable(findings.map(({ check, state, says }) => ({ check, state, says })));
      for (const line of adviceOf(findings)) process.stdout.write(`\n${line}\n`);
      process.stdout.write(`\n${geoAttribution.text}\n`);
    });
}

type Env = ReturnType<typeof readAll>;

function readAll() {
  return readEnv({ ...installationEnv, ...lookupEnv, ...notificationEnv }, process.env);
}

async function examine(): Promise<Finding[]> {
  const env = readAll();
  let outside: Promise<Finding[]> | undefined;
  const findOutside = () => (outside ??= examineOutside(env));
  const stored = await examineDatabase(env, findOutside);
  return [...stored, ...(await findOutside())];
}

async function examineOutside(env: Env): Promise<Finding[]> {
  const blobs = env.BLOB_URL ?? pathToFileURL(join(resolve(env.DATA_DIR), 'blobs')).href;
  const isEmbedded = env.DATABASE_URL === undefined;
  const [disk, queue, raw] = await Promise.all([
    isEmbedded ? checkDisk(resolve(env.DATA_DIR)) : [],
    checkQueue(env.REDIS_URL),
    checkBlobs(blobs, env.BLOB_URL === undefined), // opening the installation decides on other folders
  ]);
  return [...disk, queue, raw];
}

/** The checks that need the database; those of the ledger also need a current schema. */
async function examineDatabase(env: Env, findOutside: () => Promise<Finding[]>): Promise<Finding[]> {
  let server: Awaited<ReturnType<typeof openDatabaseServer>> | undefined;
  try {
    server = await openDatabaseServer(env);
    const { url } = server;
    const schema = await checkSchema(url);
    const settings = await examineServer(url);
    if (schema.state === 'error') return [...settings, schema];
    return [...settings, schema, ...(await examineLedger(env, findOutside).catch(notOpened))];
  } catch (cause) {
    return [
      error(
        'database',
        reasonOf(cause),
        mendOf(cause, 'Check DATABASE_URL, and that PostgreSQL runs and accepts this user.'),
      ),
    ];
  } finally {
    await server?.close();
  }
}

/** The finding when the database works, but the rest of the installation cannot be opened. */
function notOpened(cause: unknown): Finding[] {
  return [error('ledger', reasonOf(cause), 'Repair that, then run doctor again: the ledger itself was not checked.')];
}

async function examineServer(url: string): Promise<Finding[]> {
  const database = openDatabase(url, { connections: 1 });
  try {
    return await checkDatabase(database);
  } finally {
    await database.close();
  }
}

/** The findings are kept for the page of operators, which asks nothing of other systems itself. */
async function examineLedger(env: Env, findOutside: () => Promise<Finding[]>): Promise<Finding[]> {
  const log = openLogger({ name: 'cli', level: 'silent' });
  const installation = await openInstallation(env);
  try {
    const lookups = await openLookups({ ...env, ENRICHMENT: 'off' }, installation.database, () => undefined);
    const work = { installation, log, use: <T>(resource: T) => resource };
    const findings = [
      ...(await checkWork(installation.database)),
      await checkDns(lookups, { isValidating: env.DNS_VALIDATING === 'on' }),
      await checkGeo(lookups),
      await checkMail(work, env.SMTP_URL),
      ...(await checkMailboxes(work)),
    ];
    await lookups.close();
    await putInstallationState(installation.database.db, 'doctor', [...findings, ...(await findOutside())]);
    return findings;
  } finally {
    await installation.close();
  }
}
