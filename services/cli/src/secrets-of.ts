import type { SecretBox } from '@dmarc-ledger/secrets';
import type { Installation } from '@dmarc-ledger/standalone-service/installation';
import { CliError } from './errors.ts';

/** Returns the box that encrypts the secrets of mailboxes. @throws {CliError} usage, when SECRET_KEY is not set */
export function secretsOf({ secrets }: Installation): SecretBox {
  if (secrets) return secrets;
  throw new CliError(
    'usage',
    'Set SECRET_KEY: it encrypts the secrets of mailboxes. Make one with: openssl rand -hex 32',
  );
}
