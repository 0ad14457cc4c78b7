import type { Certificate } from './private-ca.ts';
import type { SystemUser } from './system-user.ts';

export interface DovecotOptions {
  /** Whether the server offers these; default: true. */
  move?: boolean;
  idle?: boolean;
  uidplus?: boolean;
  /** False: the plain port offers no STARTTLS, and nothing listens for TLS. */
  tls?: boolean;
  /** Records the commands of sessions, for `commands()`. */
  record?: boolean;
  /** Where it checks access tokens, as `tokenServer().tokenInfoUrl`; without it, it accepts none. */
  tokenInfoUrl?: string;
}

export interface DovecotPlace {
  folder: string;
  port: number;
  tlsPort: number;
  user: SystemUser;
  password: string;
  certificate: Certificate;
}

/** The capabilities of Dovecot 2.3, which an option can remove. */
const CAPABILITIES =
  'IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE LITERAL+ UNSELECT CHILDREN NAMESPACE UIDPLUS LIST-EXTENDED ' +
  'CONDSTORE QRESYNC ESEARCH LIST-STATUS BINARY MOVE SPECIAL-USE';

/** The settings of a Dovecot that runs entirely as one user, in one folder, on loopback. */
export function dovecotConfig(options: DovecotOptions, place: DovecotPlace): string {
  const { folder, port, tlsPort, user, password, certificate } = place;
  const { tls = true, tokenInfoUrl } = options;
  return `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
default_internal_user = ${user.name}
default_internal_group = ${user.group}
default_login_user = ${user.name}
first_valid_uid = 1
mail_uid = ${user.uid}
mail_gid = ${user.gid}
mail_location = maildir:~/Maildir
mail_fsync = never
mail_max_userip_connections = 1000
${tls ? `ssl = yes\nssl_cert = <${certificate.certificate}\nssl_key = <${certificate.key}` : 'ssl = no'}
disable_plaintext_auth = no
auth_mechanisms = plain login${tokenInfoUrl ? ' xoauth2 oauthbearer' : ''}
auth_failure_delay = 0
${
  tokenInfoUrl
    ? `passdb {\n  driver = oauth2\n  mechanisms = xoauth2 oauthbearer\n  args = ${folder}/oauth2.conf\n}`
    : ''
}
passdb {
  driver = static
  mechanisms = plain login
  args = password=${password}
}
userdb {
  driver = static
  args = home=${folder}/home/%u
}
namespace inbox {
  inbox = yes
  separator = /
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tls ? tlsPort : 0}
    ssl = yes
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
protocol imap {
  imap_capability = ${capabilities(options).join(' ')}
${options.record ? `  rawlog_dir = ${folder}/sessions` : ''}
}
`;
}

/** How it checks an access token: a 200 names the user, anything else refuses. */
export function oauth2Config(tokenInfoUrl: string): string {
  return `
tokeninfo_url = ${tokenInfoUrl}?access_token=
username_attribute = email
active_attribute = active
active_value = true
`;
}

function capabilities({ move = true, idle = true, uidplus = true }: DovecotOptions): string[] {
  const without = new Set([!move && 'MOVE', !idle && 'IDLE', !uidplus && 'UIDPLUS']);
  return CAPABILITIES.split(' ').filter((name) => !without.has(name));
}
