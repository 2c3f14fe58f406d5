import { relative } from "node:path";
import { readFront } from "../../rules/frontmatter.ts";
import type { Found } from "../discovery/found.ts";

/** A slash command that a Markdown file defines. */
export type MarkdownCommand = {
  name: string;
  path: string;
  description?: string;
  argumentHint?: string;
  /** The model for the run that it starts. */
  model?: string;
  body: string;
};

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/;
const LONGEST = 300;

/** The commands of a folder's files; `folder/name.md` becomes `/folder:name`. Never rejects. */
export async function readMarkdownCommands({ path: folder, files }: Found): Promise<MarkdownCommand[]> {
  const read = [...files].map(async ([path, text]): Promise<MarkdownCommand[]> => {
    const name = relative(folder, path).slice(0, -".md".length).split("/").join(":");
    if (!NAME.test(name)) return [];
    const { fields, body } = await readFront(path, text);
    const description = textOf(fields.description) ?? textOf(body.split("\n", 1)[0]);
    const argumentHint = textOf(fields["argument-hint"]) ?? listText(fields["argument-hint"]);
    const model = textOf(fields.model);
    return [
      {
        name,
        path,
        ...(description ? { description } : {}),
        ...(argumentHint ? { argumentHint } : {}),
        ...(model ? { model } : {}),
        body,
      },
    ];
  });
  return (await Promise.all(read)).flat();
}

/** `argument-hint: [branch]` is a list in YAML. */
function listText(value: unknown): string | undefined {
  return Array.isArray(value) ? `[${value.map(String).join(", ")}]` : undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return (
    value
      .replace(/[\u0000-\u001f\u007f-\u009f]/g, " ")
      .trim()
      .slice(0, LONGEST) || undefined
  );
}
