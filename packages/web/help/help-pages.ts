import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** One Markdown file of the repository as a page of the help. */
export interface HelpPage {
  /** From the root of the repository, such as `docs/limits.md`. */
  source: string;
  /** Where the product serves it, such as `/help/limits`. */
  address: string;
  /** Its first heading. */
  title: string;
  text: string;
}

export interface HelpGroup {
  title: string;
  pages: HelpPage[];
}

const SOURCES = ['{README,CHANGELOG,CONTRIBUTING,SECURITY}.md', 'docs/*.md', 'docs/{rules,decisions}/*.md'];

/** Pages whose address is not that of their file. */
const NAMED: { [source: string]: string } = {
  'README.md': '/help',
  'SECURITY.md': '/help/reporting-a-vulnerability', // docs/security.md has the other address
};

/** The order of the contents, by file names of `docs`. A page that is in none of these comes in the last group. */
const GROUPS: { [title: string]: string } = {
  'Set up': 'installing deployment configuration mailboxes migrating-from-parsedmarc',
  Use:
    'pages domains senders enforcement coverage bulk-sender-rules scores events notifications digest feeds ' +
    'assistants warnings enrichment',
  Operate: 'operations runbook observability retention security limits scaling speed',
};

/** Every page of the help, with its text. */
export function readHelpPages(): HelpPage[] {
  return globSync(SOURCES, { cwd: root })
    .toSorted()
    .map((source) => {
      const text = readFileSync(join(root, source), 'utf8');
      const [, title = source] = /^# (.+)$/m.exec(text) ?? [];
      return { source, address: addressOf(source), title, text };
    });
}

/** The contents: every page in one group. */
export function groupPages(pages: readonly HelpPage[]): HelpGroup[] {
  const named = Object.entries(GROUPS).map(([title, names]) => ({
    title,
    pages: names.split(' ').flatMap((name) => pages.filter(({ source }) => source === `docs/${name}.md`)),
  }));
  const start = { title: 'Start', pages: pages.filter(({ source }) => source === 'README.md') };
  const inFolder = (folder: string) => pages.filter(({ source }) => source.startsWith(folder));
  const groups = [
    start,
    ...named,
    { title: 'Rules', pages: inFolder('docs/rules/') },
    { title: 'Decisions', pages: inFolder('docs/decisions/') },
  ];
  const grouped = new Set(groups.flatMap((group) => group.pages));
  const others = { title: 'The project', pages: pages.filter((page) => !grouped.has(page)) };
  return [...groups, others].filter((group) => group.pages.length > 0);
}

function addressOf(source: string): string {
  const name = source.replace(/^docs\//, '').replace(/\/README\.md$|\.md$/, '');
  return NAMED[source] ?? `/help/${name.toLowerCase()}`;
}
