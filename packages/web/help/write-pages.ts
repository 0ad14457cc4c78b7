import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Eleventy, type Configuration } from '@11ty/eleventy';
import type { Section } from '../browser/search-options.ts';
import { groupPages, readHelpPages, root, type HelpPage } from './help-pages.ts';
import { helpMarkdown } from './markdown.ts';
import { sectionsOf } from './search-index.ts';

/** The addresses of what pages load. */
export interface SiteAssets {
  style: string;
  script: string;
  index: string;
  /** By their path in the repository. */
  images: ReadonlyMap<string, string>;
}

const here = fileURLToPath(new URL('.', import.meta.url));

/** Writes every page of the help into a folder, and returns their sections for the search. */
export async function writePages(folder: string, assets: SiteAssets): Promise<Section[]> {
  const pages = readHelpPages();
  const sections: Section[] = [];
  const generator = new Eleventy(relative('', here), relative('', folder), {
    quietMode: true,
    configPath: false,
    config: (configuration) => {
      addPages(configuration, pages, assets);
      const markdown = helpMarkdown({
        pageAddress: (source) => pages.find((page) => page.source === source)?.address,
        imageAddress: (path) => assets.images.get(path),
      });
      markdown.core.ruler.push('help-sections', ({ tokens, env }) => {
        const page = pages.find(({ source }) => source === env.source);
        if (page) sections.push(...sectionsOf(tokens, page));
      });
      configuration.setLibrary('md', markdown);
      return { markdownTemplateEngine: false, htmlTemplateEngine: false };
    },
  });
  generator.disableLogger();
  await generator.write();
  return sections;
}

function addPages(configuration: Configuration, pages: readonly HelpPage[], assets: SiteAssets): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const shared = {
    layout: 'page.liquid',
    version,
    groups: groupPages(pages),
    style: assets.style,
    script: assets.script,
  };
  configuration.setUseGitIgnore(false);
  configuration.setTemplateFormats(['md', 'html']);
  for (const { source, address, title, text } of pages) {
    const file = address === '/help' ? 'index.html' : `${address.slice('/help/'.length)}.html`;
    const data = { ...shared, source, address, title, permalink: file };
    configuration.addTemplate(join(relative('', here), source), text, data);
  }
  const add = (name: string, title: string, body: string) =>
    configuration.addTemplate(join(relative('', here), `${name}.html`), body, {
      ...shared,
      title,
      address: `/help/${name}`,
      permalink: `${name}.html`,
    });
  add('search', 'Search', searchBody(assets.index));
  add(
    '404',
    'No such page',
    '<h1>There is no such page in the help</h1>\n<p>Search for it, or look into the contents.</p>',
  );
}

function searchBody(index: string): string {
  return `<h1>Search</h1>
<section data-search-index="${index}">
<p role="status">The search needs JavaScript. The contents list every page.</p>
<ol class="results"></ol>
</section>`;
}
