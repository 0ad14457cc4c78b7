import type { Random } from '@dmarc-ledger/testkit/random';

export const LONGEST_INPUT = 256 * 1024;
const ODD_BYTES = [0, 1, 9, 10, 13, 32, 34, 38, 39, 45, 47, 60, 61, 62, 92, 127, 128, 0xc0, 0xed, 0xfe, 0xff] as const;
const ODD_NUMBERS = [
  '0',
  '-1',
  '1e999',
  '2147483648',
  '9007199254740993',
  '99999999999999999999',
  '0x10',
  '٣',
] as const;

type Samples = readonly [Buffer, ...Buffer[]];
type Mutation = (input: Buffer, random: Random, words: readonly string[], samples: Samples) => Buffer;

/** One of the samples, changed in one to four ways. */
export function mutate(samples: Samples, words: readonly string[], random: Random): Buffer {
  let input = random.pick(samples);
  for (let changes = 1 + random.below(4); changes > 0; changes -= 1)
    input = random.pick(mutations)(input, random, words, samples).subarray(0, LONGEST_INPUT);
  return Buffer.from(input);
}

const flipBit: Mutation = (input, random) => {
  const changed = Buffer.from(input);
  const at = random.below(input.length + 1);
  if (at < input.length) changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
  return changed;
};

const setByte: Mutation = (input, random) => replace(input, place(input, random, 1), [random.pick(ODD_BYTES)]);
const cutOut: Mutation = (input, random) => replace(input, place(input, random), []);
const cutOff: Mutation = (input, random) => input.subarray(0, random.below(input.length + 1));

/** A piece many times: long texts, many members, deep nesting. */
const repeat: Mutation = (input, random) => {
  const at = place(input, random, 64);
  const times = 1 << random.below(14);
  return replace(
    input,
    { from: at.to, to: at.to },
    Buffer.alloc((at.to - at.from) * times, input.subarray(at.from, at.to)),
  );
};

const insertWord: Mutation = (input, random, words) => {
  const [first = '', ...others] = words;
  const at = random.below(input.length + 1);
  return replace(
    input,
    { from: at, to: at + random.below(2) * random.below(8) },
    Buffer.from(random.pick([first, ...others])),
  );
};

const oddNumber: Mutation = (input, random) => {
  const digits = [...input.toString('latin1').matchAll(/\d+/g)];
  const found = digits[random.below(digits.length + 1)];
  if (!found) return input;
  return replace(
    input,
    { from: found.index, to: found.index + found[0].length },
    Buffer.from(random.pick(ODD_NUMBERS)),
  );
};

/** A piece of another sample in the place of a piece of this one. */
const splice: Mutation = (input, random, _, samples) => {
  const other = random.pick(samples);
  const { from, to } = place(other, random);
  return replace(input, place(input, random), other.subarray(from, to));
};

/** Four bytes as a length or an offset in a container would be. */
const oddLength: Mutation = (input, random) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(random.pick([0, 1, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, input.length]));
  return replace(input, place(input, random, 4), bytes);
};

const mutations = [
  flipBit,
  setByte,
  cutOut,
  cutOff,
  repeat,
  insertWord,
  insertWord,
  oddNumber,
  splice,
  oddLength,
] as const;

function place(input: Buffer, random: Random, longest = input.length): { from: number; to: number } {
  const from = random.below(input.length + 1);
  return { from, to: Math.min(input.length, from + random.below(longest + 1)) };
}

function replace(input: Buffer, { from, to }: { from: number; to: number }, by: Buffer | readonly number[]): Buffer {
  return Buffer.concat([input.subarray(0, from), Buffer.from(by), input.subarray(Math.min(to, input.length))]);
}
