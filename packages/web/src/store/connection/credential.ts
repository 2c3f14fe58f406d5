/** Also read by `first.js`. */
const KEY = "gantry.credential";

export type PageCredential = { credential: string; expiresAt: string };

/** For browsers that refuse storage: the credential then lasts as long as the page. */
let inMemory: PageCredential | undefined;

/**
 * The credential of this origin. Storage is separate for each port, unlike cookies, so no other program on this machine
 * gets it. It is read for each request: another tab may have redeemed a newer ticket.
 */
export function pageCredential(): string | undefined {
  const stored = read() ?? inMemory;
  return stored && Date.parse(stored.expiresAt) > Date.now() ? stored.credential : undefined;
}

export function storePageCredential({ credential, expiresAt }: PageCredential): void {
  inMemory = { credential, expiresAt };
  try {
    localStorage.setItem(KEY, JSON.stringify(inMemory));
  } catch {
    // Storage is full or refused.
  }
}

function read(): PageCredential | undefined {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
