import { createKey, findOrganization } from '@dmarc-ledger/ledger';
import { startApi } from '@dmarc-ledger/api-service';
import { openLogger } from '@dmarc-ledger/runtime';
import { cloneDatabase, dovecotServer, reportMail, reportXml } from '@dmarc-ledger/testkit';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { getJson } from './support/api.ts';
import { openCommandHost } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';
import { startService } from './support/service.ts';

const MAILS = 30;

it('reads the archive folder that another reader has left behind, leaves it as it is, and counts nothing twice', async () => {
  using folder = temporaryFolder();
  using host = openCommandHost();
  await using database = await cloneDatabase();
  await using dovecot = await dovecotServer();
  const user = dovecot.user();
  const mails = Array.from({ length: MAILS }, (_, i) =>
    reportMail({ xml: reportXml({ id: `report-${i}`, records: [{ ip: '192.0.2.7', count: i + 1 }] }) }),
  );
  await dovecot.createFolder(user, 'Archive/Aggregate');
  await dovecot.append(user, 'Archive/Aggregate', mails);
  await dovecot.append(user, 'INBOX', mails.slice(0, 3));
  const ca = join(folder.path, 'ca.pem');
  writeFileSync(ca, dovecot.ca);
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: join(folder.path, 'data'),
    SECRET_KEY: 'k'.repeat(32),
    MAIL_PASSWORD: dovecot.password,
  };
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await host.run(args, env);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };
  await command('org', 'create', 'My organization');
  const place = ['--host', 'localhost', '--port', String(dovecot.tlsPort), '--user', user, '--ca-file', ca];
  const add = ['mailbox', 'add', '--org', 'My organization', ...place, '--password-env', 'MAIL_PASSWORD'];
  await command(...add, '--folder', 'Archive/Aggregate', '--after', 'leave');
  await command(...add);

  const ingester = startService('ingester', env);
  const { id: orgId } = (await findOrganization(database.db, { name: 'My organization' }))!;
  const { key } = await createKey(database.db, orgId, { scope: 'read' });
  const log = openLogger({ name: 'backfill', level: 'silent' });
  const api = await startApi({ databaseUrl: database.url, host: '127.0.0.1', port: 0, log });
  const statistics = () => getJson(`${api.url}/v1/statistics`, key);
  while ((await statistics()).total_reports < MAILS) await sleep(100);
  while ((await dovecot.messages(user, 'INBOX')).length > 0) await sleep(100); // read and put aside
  expect(await statistics()).toMatchObject({ total_reports: MAILS, total_messages: (MAILS * (MAILS + 1)) / 2 });
  expect(await dovecot.messages(user, 'Archive/Aggregate')).toHaveLength(MAILS);
  expect(await dovecot.messages(user, 'Processed')).toHaveLength(3);
  const backlogs = async () =>
    JSON.parse(await command('mailbox', 'list', '--json')).map(({ backlog }: { backlog: number }) => backlog);
  await expect.poll(backlogs, { timeout: 60_000 }).toEqual([0, 0]); // reported now and then
  expect(await ingester.end('SIGTERM')).toBe(0);
  await api.close();
});
