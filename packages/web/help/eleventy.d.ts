/** The part of the generator that the help uses; it has no types of its own. */
declare module '@11ty/eleventy' {
  import type { MarkdownIt } from 'markdown-it';

  export interface Configuration {
    setUseGitIgnore(isUsed: boolean): void;
    setTemplateFormats(formats: string[]): void;
    setLibrary(name: 'md', markdown: MarkdownIt): void;
    addTemplate(path: string, content: string, data: { [name: string]: unknown }): void;
  }

  export class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode: boolean; configPath: false; config: (configuration: Configuration) => unknown },
    );
    disableLogger(): void;
    write(): Promise<unknown>;
  }
}
