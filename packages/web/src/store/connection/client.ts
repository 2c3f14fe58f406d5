import { createClient } from "@gantry/client";
import { pageCredential } from "./credential.ts";
import { prefetchedFetch } from "./prefetch.ts";

/** The one client of the page. */
export const client = createClient({
  resolve: () => ({ url: location.origin, token: pageCredential() }),
  fetch: prefetchedFetch,
});
