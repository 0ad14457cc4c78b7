import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const composeText = readFileSync(join(import.meta.dirname, '..', '..', 'docker-compose.yml'), 'utf8');

/** A service of docker-compose.yml, as far as our own image goes. */
export interface ComposeService {
  image: string;
  command: string[];
  environment: { [name: string]: string };
  secrets: string[];
  healthcheck: { test?: string[]; disable?: boolean };
  depends_on: { [name: string]: { condition: string } };
  stop_grace_period: string;
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
}

export interface ComposeFile {
  services: { [name: string]: ComposeService };
  secrets: { [name: string]: { file: string } };
}

/** The file as compose reads it, with the defaults of its variables. */
export function readCompose(text = composeText): ComposeFile {
  return parse(text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'), { merge: true }) as ComposeFile;
}

/** The services of our own image, each by its name. */
export function ownServices(file: ComposeFile): [string, ComposeService][] {
  return Object.entries(file.services).filter(([, { image }]) => image === 'dmarc-ledger');
}

/** An environment of the file, with paths and addresses of containers replaced by those of this machine. */
export function placed(environment: { [name: string]: string }, places: { [there: string]: string }) {
  const here = (text: string) =>
    Object.entries(places).reduce((so, [there, instead]) => so.replaceAll(there, instead), text);
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, here(value)]));
}
