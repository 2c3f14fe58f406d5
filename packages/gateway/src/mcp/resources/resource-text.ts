import { GantryError } from "@gantry/protocol";
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";

/** The most text of one resource. What is left out has a cursor in the text. */
export const RESOURCE_CHARS = 100_000;

/** One variable of a URI template as text. */
export function variableOf(value: string | string[] | undefined): string {
  return decodeURIComponent((Array.isArray(value) ? value[0] : value) ?? "");
}

/** Reads a resource as text. Errors of the daemon become protocol errors with the reason. */
export async function resourceText(
  uri: URL,
  mimeType: string,
  read: () => Promise<string>,
): Promise<ReadResourceResult> {
  try {
    return { contents: [{ uri: uri.href, mimeType, text: await read() }] };
  } catch (error) {
    if (!(error instanceof GantryError)) throw error;
    if (error.status === 404) throw new ResourceNotFoundError(uri.href);
    const message = [`${error.message} (${error.code})`, error.remedy].filter((line) => line).join(" ");
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, message, { code: error.code, status: error.status });
  }
}
