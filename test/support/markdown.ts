import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The text of a file, by its path from the root of the repository. */
export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Files that match the patterns, as sorted paths from the root, without installed or generated ones. */
export function findFiles(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: (name) => /node_modules|\.types/.test(name) }).toSorted();
}

/** The targets of a page's links, code blocks aside. */
export function linksOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
}

/** Of a page's links those that lead to no file or no heading of the repository. */
export function brokenLinks(page: string, text: string): string[] {
  return linksOf(text).filter((target) => !/^(?:https?|mailto):/.test(target) && !leadsSomewhere(page, text, target));
}

/** A link's path from the root of the repository. */
export function linkedFile(page: string, target: string): string {
  const [path = ''] = target.split('#');
  return path === '' ? page : relative(root, resolve(root, dirname(page), path));
}

/** As headings are linked to: small letters, without marks, spaces as hyphens; a second of one name is numbered. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, title] of withoutCode(text).matchAll(/^#+ (.+)$/gm)) {
    const plain = anchorOf(title!);
    let anchor = plain;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${plain}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The anchor of one heading. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

function leadsSomewhere(page: string, text: string, target: string): boolean {
  const place = linkedFile(page, target);
  if (!existsSync(join(root, place))) return false;
  const [path, anchor] = target.split('#');
  return anchor === undefined || anchorsOf(path === '' ? text : readText(place)).has(anchor);
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```/gms, '');
}
