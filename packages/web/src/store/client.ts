import { createClient } from "@gantry/client";
import { earlyFetch } from "./early.ts";

/** The one client of the page. The cookie that the ticket bought proves who it is. */
export const client = createClient({ url: location.origin, fetch: earlyFetch });
