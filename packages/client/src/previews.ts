import type { OpenPreview, RouteName, RouteResult } from "@gantry/protocol";
import { type CallInput, call } from "./call.ts";
import type { Transport } from "./transport.ts";

/** Calls about previews of dev servers. They throw `GantryError`. */
export function previewCalls(transport: Transport) {
  const make = <K extends RouteName>(name: K, input: CallInput<K>): Promise<RouteResult<K>> =>
    call(transport, name, input);
  return {
    open: (body: OpenPreview) => make("openPreview", { body }),
    list: async () => (await make("listPreviews", {})).previews,
    close: (id: string) => make("closePreview", { params: { id } }),
  };
}
