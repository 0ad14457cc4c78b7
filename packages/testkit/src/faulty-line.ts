import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Watch, type Toxic } from './toxic.ts';

const TICK_MS = 20;

/** One connection, and the one to the server behind it. */
export class FaultyLine {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #toxic: Toxic;
  readonly #onEnded: () => void;
  readonly #requests = new Watch();
  readonly #replies = new Watch();
  /** Bytes until the cut, once its counting has begun. */
  #left?: number;
  #isMute = false;

  constructor(client: Socket, server: Socket, toxic: Toxic, onEnded: () => void) {
    this.#client = client;
    this.#server = server;
    this.#toxic = toxic;
    this.#onEnded = onEnded;
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', () => this.reset());
  }

  async run(): Promise<void> {
    await Promise.all([this.#carryRequests(), this.#carryReplies()]).catch(() => undefined);
    this.reset();
  }

  reset(): void {
    this.#client.resetAndDestroy();
    this.#server.destroy();
  }

  async #carryRequests(): Promise<void> {
    for await (const piece of bytesOf(this.#client)) {
      await this.#hole();
      const { cut, dropRequest, dropReplyAfter } = this.#toxic;
      if (this.#requests.find(dropRequest, piece) !== null) return this.#end('dropRequest');
      if (this.#requests.find(dropReplyAfter, piece) !== null) this.#isMute = true;
      if (cut && this.#requests.find(cut.request, piece) !== null) this.#left = cut.afterBytes;
      this.#requests.pass(piece);
      await write(this.#server, piece);
    }
    this.#server.end();
  }

  async #carryReplies(): Promise<void> {
    for await (const piece of bytesOf(this.#server)) {
      await this.#hole();
      const { cut, dropReply, resetAfterReply, latencyMs } = this.#toxic;
      if (this.#isMute) return this.#end('dropReplyAfter');
      if (this.#replies.find(dropReply, piece) !== null) return this.#end('dropReply');
      if (latencyMs) await sleep(latencyMs);
      if (!cut) this.#left = undefined;
      else if (!cut.request) this.#left ??= cut.afterBytes;
      if (cut && this.#left !== undefined && piece.length >= this.#left) {
        await this.#drip(piece.subarray(0, this.#left));
        return await this.#endAfter('cut');
      }
      if (this.#left !== undefined) this.#left -= piece.length;
      const end = this.#replies.find(resetAfterReply, piece);
      this.#replies.pass(piece);
      await this.#drip(end === null ? piece : piece.subarray(0, end));
      if (end !== null) return await this.#endAfter('resetAfterReply');
    }
    this.#client.end();
  }

  async #hole(): Promise<void> {
    while (this.#toxic.blackHole && !this.#client.destroyed) await sleep(TICK_MS);
  }

  async #drip(piece: Buffer): Promise<void> {
    for (let from = 0; from < piece.length;) {
      const { bytesPerSecond } = this.#toxic;
      const length = bytesPerSecond ? Math.max(1, Math.floor((bytesPerSecond * TICK_MS) / 1000)) : piece.length;
      await write(this.#client, piece.subarray(from, from + length));
      if (bytesPerSecond) await sleep(TICK_MS);
      from += length;
    }
  }

  /** After a reset, sent bytes are discarded: the last ones get a moment to arrive. */
  async #endAfter(reason: keyof Toxic): Promise<void> {
    await sleep(TICK_MS);
    this.#end(reason);
  }

  #end(reason: keyof Toxic): void {
    if (!this.#toxic.always) delete this.#toxic[reason];
    this.#onEnded();
    this.reset();
  }
}

async function write(socket: Socket, piece: Buffer): Promise<void> {
  if (piece.length > 0 && !socket.destroyed && !socket.write(piece)) await once(socket, 'drain');
}

/** A socket without an encoding yields buffers. */
function bytesOf(socket: Socket): AsyncIterable<Buffer> {
  return socket;
}
