import { calls, type RouteName, type RouteQuery, type RouteResult } from "@gantry/protocol";
import { type CallInput, call, pathOf } from "./call.ts";
import type { Transport } from "./transport.ts";

/** Calls about files and folders of the daemon's machine. They throw `GantryError`. */
export function fileCalls(transport: Transport) {
  const make = <K extends RouteName>(name: K, input: CallInput<K>): Promise<RouteResult<K>> =>
    call(transport, name, input);
  return {
    /** Paths that fit what is typed so far, below a session's folder or below `cwd`. */
    find: (query: RouteQuery<"findFiles">, signal?: AbortSignal) => make("findFiles", { query, signal }),
    /** Folders to pick from: those inside of `path`, and those that sessions worked in last. */
    folders: (path?: string, signal?: AbortSignal) => make("listFolders", { query: { path }, signal }),
    /** A file of a session, with its type. */
    read: async (session: string, path: string, signal?: AbortSignal): Promise<Blob> =>
      (await transport.request(fileUrl(session, path), { signal })).blob(),
  };
}

function fileUrl(session: string, path: string): string {
  return pathOf(calls.readFile.path, { params: { id: session }, query: { path } });
}
