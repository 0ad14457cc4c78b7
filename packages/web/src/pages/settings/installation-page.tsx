import { findInstallation } from '@dmarc-ledger/queries';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { Installation } from './installation.tsx';

/** Is the installation healthy? For the people who run it. */
export const installationPage = definePage({
  path: '/settings/installation',
  permission: 'operate',
  query: z.object({}),
  params: z.object({}),
  async load({ db, now }) {
    return { title: 'Installation', body: <Installation states={await findInstallation(db)} now={now} /> };
  },
});
