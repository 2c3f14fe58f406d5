import type { BlobRef, Text } from "@gantry/protocol";
import type { Blobs } from "../../log/blobs.ts";

const LONGEST = 60_000;

/** A text for readers: whole if it is short, otherwise its start and end. `cut` counts the dropped characters. */
export type Shown = { text: string; cut: number };

export function readText(value: Text, blobs: Blobs, clean: (text: string) => string): Shown {
  const text = typeof value === "string" ? value : (blobs.read(value.blob) ?? `${value.head}\n…\n${value.tail}`);
  return shortenText(clean(text));
}

export function shortenText(text: string): Shown {
  if (text.length <= LONGEST) return { text, cut: 0 };
  const half = LONGEST / 2;
  const [head, tail] = [text.slice(0, half), text.slice(-half)];
  return { text: `${head}\n\n… ${text.length - LONGEST} characters left out …\n\n${tail}`, cut: text.length - LONGEST };
}

export function isBlobRef(value: unknown): value is BlobRef {
  return typeof (value as BlobRef | null)?.blob === "string" && typeof (value as BlobRef).head === "string";
}

/** The readable input of a tool: a command unchanged, anything else as JSON. */
export function inputText(input: unknown, clean: (text: string) => string): string | undefined {
  if (input === undefined || input === null) return undefined;
  if (typeof input === "string") return clean(input);
  if (isBlobRef(input)) return clean(`${input.head}\n…\n${input.tail}`);
  const { command } = input as { command?: unknown };
  const json = typeof command === "string" ? command : JSON.stringify(input, null, 2);
  return json === "{}" ? undefined : clean(json);
}
