import type { Mail } from '@dmarc-ledger/lookups';
import { instantText, newId } from '@dmarc-ledger/vocabulary';

/** Why somebody gets a link by mail. */
export type LinkMailPurpose = 'invitation' | 'password_reset';

/** A link that signs its reader in once, and for whom it is. */
export interface MailedLink {
  to: string;
  token: string;
  expiresAt: Date;
}

const SUBJECTS: { [purpose in LinkMailPurpose]: string } = {
  invitation: 'You are invited to DMARC Ledger',
  password_reset: 'Your link to set a new password for DMARC Ledger',
};

/** A mail with a link to the pages at `appUrl`. No text in it was chosen by others. */
export function linkMail(purpose: LinkMailPurpose, { to, token, expiresAt }: MailedLink, appUrl: string): Mail {
  const text = [
    `${SUBJECTS[purpose]}. This link signs you in once, until ${instantText(expiresAt)}:`,
    '',
    `${appUrl}/sign-in/link?token=${token}`,
    '',
    'If you do not expect this mail, ignore it: without the link nothing happens.',
    '',
  ];
  return {
    to: [to],
    subject: SUBJECTS[purpose],
    text: text.join('\n'),
    id: newId(),
    list: { id: 'accounts', name: 'DMARC Ledger accounts' },
  };
}
