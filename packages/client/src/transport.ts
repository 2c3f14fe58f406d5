import { errorIn, GantryError } from "@gantry/protocol";

/** The daemon's address and the bearer credential: the owner token, or in the page the credential from a ticket. */
export type Target = { url: string; token?: string };

export type TransportOptions = {
  /** Called before every request and every reconnect, because a restarted daemon may have another port. */
  resolve: () => Target | Promise<Target>;
  fetch?: typeof globalThis.fetch;
};

/** One request to the daemon. Throws `GantryError`: the daemon's own, or `unavailable` when it cannot be reached. */
export class Transport {
  readonly #resolve: TransportOptions["resolve"];
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: TransportOptions) {
    this.#resolve = options.resolve;
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  /** `bare`: without the credential, for a path that carries a ticket. */
  async request(
    path: string,
    { bare, ...init }: RequestInit & { headers?: Record<string, string>; bare?: boolean } = {},
  ): Promise<Response> {
    const { url, token } = await this.#resolve();
    const headers = token && !bare ? { ...init.headers, authorization: `Bearer ${token}` } : init.headers;
    const ask = () => this.#fetch(new URL(path, url), { ...init, headers, credentials: "same-origin" });
    let response: Response;
    try {
      response = await ask().catch((error) => (isStale(error, init) ? ask() : Promise.reject(error)));
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw unreachableError(url, error);
    }
    if (response.ok) return response;
    throw await responseError(response);
  }
}

/** True for a pooled connection whose daemon has restarted. Only GET requests may be retried: they change nothing. */
function isStale(error: unknown, { method = "GET", signal }: RequestInit): boolean {
  const code = (error as { cause?: { code?: string } }).cause?.code;
  return method === "GET" && !signal?.aborted && (code === "UND_ERR_SOCKET" || code === "ECONNRESET");
}

function unreachableError(url: string, error: unknown): GantryError {
  const cause = (error as { cause?: { code?: string } }).cause?.code;
  return new GantryError("unavailable", `The daemon at ${url} does not answer${cause ? ` (${cause})` : ""}.`, {
    remedy: "Run `gantry status` to check whether it runs, and `gantry serve` to start it.",
  });
}

async function responseError(response: Response): Promise<GantryError> {
  const error = errorIn(await response.json().catch(() => undefined));
  if (error) return error;
  return new GantryError(
    "unavailable",
    `The server that answered with status ${response.status} is not a Gantry daemon.`,
    {
      remedy: "Check the address, and which program listens there.",
    },
  );
}
