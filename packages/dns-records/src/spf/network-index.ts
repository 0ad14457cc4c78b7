import { isIPv4 } from 'node:net';
import { groupsOf } from '@dmarc-ledger/vocabulary';

const BITS = { 4: 32, 6: 128 } as const;

/** Networks of one family and length. */
interface Prefix {
  family: 4 | 6;
  length: number;
  /** The ids of the networks, by their leading bits. */
  ids: Map<bigint, number[]>;
}

/** An address or a network as a number of 32 or 128 bits, and the length of its prefix. */
interface Network {
  family: 4 | 6;
  bits: bigint;
  length: number;
}

/** Finds the networks around an address: one step for each length of prefix, however many networks there are. */
export class NetworkIndex {
  readonly #prefixes = new Map<string, Prefix>();

  /** Adds a network, such as `192.0.2.0/24`, unless an id that is there for the same one stands for this one too. */
  add(text: string, id: number, isCovered: (by: number) => boolean): void {
    const { family, bits, length } = networkOf(text);
    const key = `${family}/${length}`;
    const prefix = this.#prefixes.get(key) ?? { family, length, ids: new Map<bigint, number[]>() };
    this.#prefixes.set(key, prefix);
    const leading = leadingBits({ family, bits }, length);
    const ids = prefix.ids.get(leading);
    if (!ids) prefix.ids.set(leading, [id]);
    else if (!ids.some(isCovered)) ids.push(id);
  }

  /** The ids of the networks that an address, or a network, is in. */
  around(text: string): number[] {
    const { family, bits, length } = networkOf(text);
    return [...this.#prefixes.values()].flatMap((prefix) =>
      prefix.family === family && prefix.length <= length
        ? (prefix.ids.get(leadingBits({ family, bits }, prefix.length)) ?? [])
        : [],
    );
  }
}

function leadingBits({ family, bits }: Pick<Network, 'family' | 'bits'>, length: number): bigint {
  return bits >> BigInt(BITS[family] - length);
}

/** An address alone is a network of its whole length. */
function networkOf(text: string): Network {
  const [address = '', length] = text.split('/');
  const family = isIPv4(address) ? 4 : 6;
  const bits = family === 4 ? bitsOfFour(address) : BigInt(`0x${groupsOf(address).join('')}`);
  return { family, bits, length: length === undefined ? BITS[family] : Number(length) };
}

function bitsOfFour(address: string): bigint {
  return BigInt(address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0));
}
