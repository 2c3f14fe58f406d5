import type { OpenPreview, Preview } from "@gantry/protocol";

/** Previews of the daemon; the server is a thin skin over it. Its methods throw `GantryError`. */
export interface PreviewService {
  /** `host` is the Host header that the caller reached the daemon with; it decides the preview's host name. */
  open(body: OpenPreview, host: string | undefined): Promise<Preview>;
  list(host: string | undefined): Preview[];
  close(id: string): Promise<void>;
}
