import { execFileSync } from 'node:child_process';

/** A user of this machine, with the ids that servers need. */
export interface SystemUser {
  name: string;
  group: string;
  uid: number;
  gid: number;
}

/** The account of a test's servers: the user of this process, or `nobody` where that is root, which Dovecot refuses. */
export function unprivilegedUser(): SystemUser {
  const of = process.getuid?.() === 0 ? ['nobody'] : [];
  const ask = (flags: string) => execFileSync('id', [flags, ...of], { encoding: 'utf8' }).trim();
  return { name: ask('-un'), group: ask('-gn'), uid: Number(ask('-u')), gid: Number(ask('-g')) };
}
