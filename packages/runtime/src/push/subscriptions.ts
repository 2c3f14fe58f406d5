import { type AddSubscription, GantryError, type PushSubscriptionRow } from "@gantry/protocol";
import type { Records, Store } from "../log/port.ts";
import type { BrowserKeys } from "./encrypt.ts";

/** A subscription at rest. Its endpoint and keys never leave the daemon. */
export type StoredSubscription = PushSubscriptionRow & { endpoint: string; p256dh: string; auth: string };

const MOST = 20;
const POINT_BYTES = 65;
const AUTH_BYTES = 16;

/** The browsers that get notifications. */
export class Subscriptions {
  readonly #records: Records<StoredSubscription>;
  readonly #make: { id: () => string; now: () => string };

  constructor(store: Store, make: { id: () => string; now: () => string }) {
    this.#records = store.records("push-subscription");
    this.#make = make;
  }

  all(): StoredSubscription[] {
    return this.#records.list();
  }

  list(): PushSubscriptionRow[] {
    return this.all().map(rowOf);
  }

  has(id: string): boolean {
    return this.#records.get(id) !== undefined;
  }

  /** Throws `no_such_subscription`. */
  get(id: string): StoredSubscription {
    const found = this.#records.get(id);
    if (found) return found;
    throw new GantryError("no_such_subscription", "There is no such push subscription.", {
      remedy: "`gantry push` lists the subscribed browsers.",
    });
  }

  row(id: string): PushSubscriptionRow {
    return rowOf(this.get(id));
  }

  /** Throws `invalid` for keys that no browser makes, and for too many subscriptions. */
  add({ name, endpoint, keys: { p256dh, auth } }: AddSubscription): PushSubscriptionRow {
    decodeKeys({ p256dh, auth });
    const known = this.all().find((one) => one.endpoint === endpoint);
    if (!known && this.all().length >= MOST)
      throw new GantryError("invalid", `${MOST} browsers are subscribed already.`, {
        remedy: "Revoke one that you no longer use.",
      });
    const { id, createdAt } = known ?? { id: this.#make.id(), createdAt: this.#make.now() };
    const stored = { id, name, host: new URL(endpoint).host, createdAt, endpoint, p256dh, auth };
    this.#records.put(id, stored);
    return rowOf(stored);
  }

  remove(id: string): void {
    this.get(id);
    this.#records.delete(id);
  }

  removeAll(): void {
    for (const { id } of this.all()) this.#records.delete(id);
  }

  /** Records the outcome of a message. */
  report(id: string, failure: string | undefined): void {
    const found = this.#records.get(id);
    if (!found) return;
    const { failure: _, ...rest } = found;
    this.#records.put(id, failure === undefined ? { ...rest, sentAt: this.#make.now() } : { ...rest, failure });
  }
}

/** Throws `invalid`. */
export function decodeKeys({ p256dh, auth }: { p256dh: string; auth: string }): BrowserKeys {
  const keys = { publicKey: Buffer.from(p256dh, "base64url"), auth: Buffer.from(auth, "base64url") };
  if (keys.publicKey.length === POINT_BYTES && keys.publicKey[0] === 4 && keys.auth.length === AUTH_BYTES) return keys;
  throw new GantryError("invalid", "The keys of the subscription are not those of a browser.");
}

function rowOf({ id, name, host, createdAt, sentAt, failure }: StoredSubscription): PushSubscriptionRow {
  return { id, name, host, createdAt, ...(sentAt ? { sentAt } : {}), ...(failure ? { failure } : {}) };
}
