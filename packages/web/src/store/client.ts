import { createClient } from "@gantry/client";

/** The one client of the page. The cookie that the ticket bought proves who it is. */
export const client = createClient({ url: location.origin });
