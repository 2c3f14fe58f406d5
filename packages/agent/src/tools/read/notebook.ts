import { once } from "@gantry/models";
import { z } from "zod";

const lines = once(() =>
  z.union([z.string(), z.array(z.string())]).transform((text) => (Array.isArray(text) ? text.join("") : text)),
);
const output = once(() =>
  z.object({
    output_type: z.string(),
    text: lines().optional(),
    data: z.record(z.string(), z.unknown()).optional(),
    ename: z.string().optional(),
    evalue: z.string().optional(),
  }),
);
const notebook = once(() =>
  z.object({
    cells: z.array(z.object({ cell_type: z.string(), source: lines(), outputs: z.array(output()).optional() })),
  }),
);

const MAX_OUTPUT = 2000;

/** A Jupyter notebook as text; `undefined` if it is not a notebook. */
export function notebookText(json: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return undefined;
  }
  const read = notebook().safeParse(parsed);
  if (!read.success) return undefined;
  return read.data.cells
    .map(({ cell_type, source, outputs = [] }, index) => {
      const head = `# %% [${cell_type}] cell ${index + 1}`;
      const results = outputs.map(outputText).filter(Boolean);
      return [head, source, ...results.map((text) => `# output:\n${text}`)].join("\n").trimEnd();
    })
    .join("\n\n");
}

function outputText(result: z.output<ReturnType<typeof output>>): string {
  const plain = lines().safeParse(result.data?.["text/plain"]);
  const text = result.ename
    ? `${result.ename}: ${result.evalue ?? ""}`
    : (result.text ?? (plain.success ? plain.data : ""));
  const others = Object.keys(result.data ?? {}).filter((type) => type !== "text/plain");
  const shown =
    text.length > MAX_OUTPUT ? `${text.slice(0, MAX_OUTPUT)}… (${text.length - MAX_OUTPUT} more characters)` : text;
  return [shown.trimEnd(), others.length ? `(${others.join(", ")} left out)` : ""].filter(Boolean).join("\n");
}
