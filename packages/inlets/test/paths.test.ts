import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { delivered, folderOf, inPieces, tarOf } from './delivered.ts';

const LARGE = 9 * 1024 ** 2;

it('hands a file on as it is, whatever its name says', async () => {
  using folder = folderOf({ 'report.tar': '<feedback/>', 'x.mbox': 'Dear Anna' });
  const [report, mail] = [join(folder.path, 'report.tar'), join(folder.path, 'x.mbox')];
  expect(await delivered([mail, report])).toEqual([
    [mail, 'Dear Anna'],
    [report, '<feedback/>'],
  ]);
});

it('walks a folder in the order of names, all the way down, and leaves hidden files alone', async () => {
  using folder = folderOf({ 'b.xml': 'b', 'a/2.xml': 'a2', 'a/1.xml': 'a1', '.hidden': 'x', 'c/d/e.xml': 'e' });
  const found = await delivered([folder.path]);
  expect(found.map(([name, content]) => [name.slice(folder.path.length + 1), content])).toEqual([
    ['a/1.xml', 'a1'],
    ['a/2.xml', 'a2'],
    ['b.xml', 'b'],
    ['c/d/e.xml', 'e'],
  ]);
});

it('reads of a Maildir what was delivered, not what is being written', async () => {
  using folder = folderOf({
    'new/1': 'new',
    'cur/2:2,S': 'cur',
    'tmp/3': 'half',
    'dovecot-uidlist': 'x',
    '.Sub/new/4': 'sub',
    '.Sub/cur/5': 's',
    '.Sub/tmp/6': 'half',
  });
  const contents = (await delivered([folder.path])).map(([, content]) => content);
  expect(contents).toEqual(expect.arrayContaining(['new', 'cur', 'sub', 's']));
  expect(contents).not.toContain('half');
});

it('goes on after a path that there is not, and a link that leads nowhere', async () => {
  using folder = folderOf({ 'a.xml': 'a' });
  symlinkSync(join(folder.path, 'nowhere'), join(folder.path, 'b.xml'));
  const missing = join(folder.path, 'missing');
  expect(await delivered([missing, folder.path])).toEqual([
    [missing, expect.stringMatching(/^unreadable: ENOENT/)],
    [join(folder.path, 'a.xml'), 'a'],
    [join(folder.path, 'b.xml'), expect.stringMatching(/^unreadable: ENOENT/)],
  ]);
});

it.runIf(process.platform === 'linux')('reads files and folders whose names are no valid UTF-8', async () => {
  using folder = folderOf({ 'a.xml': 'a' });
  const latin1 = (name: string) => Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from(name, 'latin1')]);
  writeFileSync(latin1('f\u00fcr.xml'), 'one');
  writeFileSync(latin1('f\u00f6r.xml'), 'two');
  mkdirSync(latin1('\u00e4'));
  writeFileSync(latin1('\u00e4/b.xml'), 'three');
  const found = await delivered([folder.path]);
  expect(found.map(([, content]) => content).toSorted()).toEqual(['a', 'one', 'three', 'two']);
  expect(found).toContainEqual([join(folder.path, 'f\ufffdr.xml'), 'one']);
});

it('waits for nothing that is no file in a folder', async () => {
  using folder = folderOf({ 'b.xml': 'b' });
  execFileSync('mkfifo', [join(folder.path, 'a.xml'), join(folder.path, '.hidden')]);
  expect(await delivered([folder.path])).toEqual([
    [join(folder.path, 'a.xml'), 'unreadable: it is no regular file'],
    [join(folder.path, 'b.xml'), 'b'],
  ]);
});

it('does not walk in circles', async () => {
  using folder = folderOf({ 'a/report.xml': 'a' });
  symlinkSync(folder.path, join(folder.path, 'a', 'up'));
  const found = await delivered([folder.path]);
  expect(found.filter(([, content]) => content === 'a')).toHaveLength(1);
});

it.each([1, 100, 100_000])('takes archives and mailboxes from standard input, in pieces of %i bytes', async (size) => {
  const tar = await tarOf({ 'a.xml': 'a', 'b.xml': 'b'.repeat(2_000) });
  expect(await delivered(['-'], inPieces(tar, size))).toEqual([
    ['stdin/a.xml', 'a'],
    ['stdin/b.xml', 'b'.repeat(2_000)],
  ]);
  const mbox = Buffer.from(
    'From a@example.com Thu Jan  1 00:00:00 2026\nSubject: one\n\nFrom a@example.com Thu Jan  1 00:00:00 2026\ntwo\n\n',
  );
  expect(await delivered(['-'], inPieces(mbox, size))).toEqual([
    ['stdin#1', 'Subject: one\n'],
    ['stdin#2', 'two\n'],
  ]);
  expect(await delivered(['-'], inPieces(Buffer.from('<feedback/>'), size))).toEqual([['stdin', '<feedback/>']]);
});

it('takes nothing from an empty standard input but an empty delivery', async () => {
  expect(await delivered(['-'], inPieces(Buffer.alloc(0), 1))).toEqual([['stdin', '']]);
});

it('opens a tar archive, packed or not, folders aside', async () => {
  const tar = await tarOf({ 'x/a.xml': 'a', 'b.xml': '' });
  using folder = folderOf({ 'r.tar': tar, 'r.tar.gz': gzipSync(tar), 'r.TGZ': gzipSync(tar) });
  for (const name of ['r.tar', 'r.tar.gz', 'r.TGZ']) {
    const path = join(folder.path, name);
    expect(await delivered([path])).toEqual([
      [`${path}/x/a.xml`, 'a'],
      [`${path}/b.xml`, ''],
    ]);
  }
});

it('hands what is large on as a stream: a file, a member of an archive', async () => {
  const large = Buffer.alloc(LARGE, 'x');
  using folder = folderOf({ 'large.xml': large, 'r.tar': await tarOf({ 'large.xml': large, 'after.xml': 'after' }) });
  const found = await delivered([folder.path]);
  expect(found.map(([name, content]) => [name.slice(folder.path.length + 1), content.length])).toEqual([
    ['large.xml', LARGE],
    ['r.tar/large.xml', LARGE],
    ['r.tar/after.xml', 5],
  ]);
});

it.each<[string, (tar: Buffer) => Buffer, string]>([
  ['cut.tar', (tar) => tar.subarray(0, 2_000), 'tar'],
  ['cut.tar.gz', (tar) => gzipSync(tar).subarray(0, 100), 'gzip'],
])('says that %s is damaged, and goes on with the next', async (name, damage) => {
  const tar = await tarOf({ 'a.xml': 'a', 'b.xml': Array.from({ length: 3_000 }, (_, i) => i * i).join(' ') });
  using folder = folderOf({ [name]: damage(tar), 'next.xml': 'next' });
  const found = await delivered([folder.path]);
  expect(found).toContainEqual([join(folder.path, name), expect.stringMatching(/^unreadable: \w/)]);
  expect(found).toContainEqual([join(folder.path, 'next.xml'), 'next']);
});
