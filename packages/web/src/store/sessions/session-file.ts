import { useEffect, useState } from "react";
import { client } from "../connection/client.ts";

/**
 * A blob URL for a file of a session, once the file has been read. Image elements cannot send a credential, so the
 * page reads the file and releases the URL when the component goes away. `undefined` as long as there is nothing to show.
 */
export function useSessionFile(session: string, path: string): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const reading = new AbortController();
    let made: string | undefined;
    client.files.read(session, path, reading.signal).then(
      (file) => {
        if (reading.signal.aborted) return;
        made = URL.createObjectURL(file);
        setUrl(made);
      },
      // The image then shows its alternative text.
      () => undefined,
    );
    return () => {
      reading.abort();
      if (made) URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [session, path]);
  return url;
}

/** Saves an answer of the daemon as a file. Rejects if it breaks off. */
export async function saveAnswer(answer: Response, fallbackName: string): Promise<void> {
  const [, name = fallbackName] = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "") ?? [];
  const url = URL.createObjectURL(await answer.blob());
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  // The browser needs the URL until it has started the download.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
