import { randomUUID } from 'node:crypto';

/** The issued tokens, with their users and expiry. */
export class IssuedTokens {
  readonly #access = new Map<string, { user: string; until: number }>();
  readonly #refresh = new Map<string, string>();

  newAccess(user: string, lifetimeSeconds: number): string {
    const token = `at-${randomUUID()}`;
    this.#access.set(token, { user, until: Date.now() + lifetimeSeconds * 1000 });
    return token;
  }

  newRefresh(user: string): string {
    const token = `rt-${randomUUID()}`;
    this.#refresh.set(token, user);
    return token;
  }

  /** The user of an access token that is valid now. */
  userOfAccess(token: string): string | undefined {
    const known = this.#access.get(token);
    return known && known.until > Date.now() ? known.user : undefined;
  }

  userOfRefresh(token: string): string | undefined {
    return this.#refresh.get(token);
  }

  revoke(token: string): void {
    this.#access.delete(token);
    this.#refresh.delete(token);
  }
}
