import type { FolderList } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { client } from "../../store/connection/client.ts";

const DEBOUNCE_MS = 80;

/** Lists a folder on the daemon's machine; without a path, the home folder. The last list stays until the next arrives. */
export function useFolders(path: string | undefined): { list: FolderList | undefined; missing: boolean } {
  const [list, setList] = useState<FolderList>();
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const ask = async () => {
      try {
        setList(await client.call("listFolders", { query: { path }, signal: stop.signal }));
        setMissing(false);
      } catch {
        if (!stop.signal.aborted) setMissing(true);
      }
    };
    const timer = setTimeout(() => void ask(), DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [path]);
  return { list, missing };
}
