import { describe, expect, it } from 'vitest';
import { asLongAsItIs, asListed, firstBatch, heldBytes, taken } from '../src/mailbox/batch.ts';
import { HEADER_HELD, MAX_MAIL } from '../src/mailbox/mailbox.ts';

const MiB = 1024 ** 2;
const listed = (...sizes: number[]) => sizes.map((size, i) => ({ uid: i + 1, size, arrivedAt: null }));
const mailOf = (size: number) => listed(size)[0]!;

describe('what is fetched together', () => {
  it.each<[string, number[], number]>([
    ['fifty small mails', Array.from({ length: 60 }, () => 2_000), 50],
    ['no more than four mebibytes', [2 * MiB, 2 * MiB, 1], 2],
    ['a large mail alone', [5 * MiB, 1, 1], 1],
    ['nothing with one that is too large', [1, MAX_MAIL + 1, 1], 1],
  ])('is %s', (_, sizes, count) => {
    expect(firstBatch(listed(...sizes))).toHaveLength(count);
  });

  it('takes little more memory than its server reports, whatever it sends', () => {
    const held = heldBytes(firstBatch(listed(...Array.from({ length: 60 }, () => 1))).map(asListed));
    expect(held).toBeLessThan(MiB);
    expect(heldBytes(firstBatch(listed(4 * MiB)).map(asListed))).toBeLessThan(5 * MiB);
  });

  it('takes as much memory as a mail may, for one that turned out longer', () => {
    expect(heldBytes([asLongAsItIs(mailOf(1))])).toBe(MAX_MAIL);
  });
});

describe('a mail', () => {
  it.each<[string, number, number]>([
    ['as long as reported', 100_000, 100_000],
    ['shorter than reported', 100_000, 10],
    ['a little longer than reported', 100_000, 110_000],
    ['without a reported size', 0, 10_000],
    ['of the largest size', MAX_MAIL, MAX_MAIL],
  ])('%s is taken as it is', (_, size, length) => {
    const source = Buffer.alloc(length, 'a');
    const mail = taken(asListed(mailOf(size)), source)!;
    expect(mail.content).toBe(source);
    expect(mail).toMatchObject({ uid: 1, size, isHeaderOnly: false });
  });

  it('that fills all that was asked for is not taken for the whole: it may have been cut', () => {
    const wanted = asListed(mailOf(100_000));
    expect(taken(wanted, Buffer.alloc(wanted.atMost))).toBeDefined();
    expect(taken(wanted, Buffer.alloc(wanted.atMost + 1))).toBeUndefined();
  });

  it('much longer than reported is taken whole when it is fetched again', () => {
    const source = Buffer.alloc(MiB, 'a');
    expect(taken(asListed(mailOf(1)), source)).toBeUndefined();
    expect(taken(asLongAsItIs(mailOf(1)), source)!.content).toBe(source);
  });

  it.each<[string, number, number]>([
    ['that is too large, as reported,', MAX_MAIL + 1, HEADER_HELD + 1],
    ['that is too large, though reported otherwise,', 1, MAX_MAIL + 1],
  ])('%s is known by its header alone', (_, size, length) => {
    const header = taken(asListed(mailOf(size)), Buffer.alloc(length, 'a'));
    expect(header).toMatchObject({ size: MAX_MAIL + 1, isHeaderOnly: true });
    expect(header!.content).toHaveLength(HEADER_HELD);
    expect(header!.content.buffer.byteLength).toBeLessThan(2 * HEADER_HELD);
  });
});
