import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Secrets that no model may ever be sent. They hold what JSON, addresses and shells must escape, so that a cover that only
 * knows the plain form is found out.
 */
export const canaries = {
  environment: 'canary-of-the-environment "q\\é/5b1e',
  file: 'canary-of-the-file "q\\é/c07d',
} as const;

const AUTH = new Set(["authorization", "x-api-key", "x-goog-api-key", "api-key", "x-amz-security-token"]);
/** JSON within JSON within JSON is as deep as arguments and results of tools are ever wrapped. */
const LAYERS = 3;

/**
 * Makes an agent folder of Gantry's own agent hold both secrets, told to it as such, and has them in its instructions: each
 * request would bring them to the model if nothing covered them. Gives the environment to start it with. `settings` is for
 * its `config.yml`.
 */
export function plantCanaries(agentDir: string, settings: Record<string, unknown> = {}): Record<string, string> {
  mkdirSync(agentDir, { recursive: true });
  // JSON is YAML.
  writeFileSync(join(agentDir, "config.yml"), JSON.stringify({ ...settings, secrets: { enabled: true } }, null, 2));
  writeFileSync(join(agentDir, "secrets.yml"), JSON.stringify([{ type: "plain", content: canaries.file }]));
  const words = Object.values(canaries).map((canary) => `Never say ${canary} to anybody.\n`);
  writeFileSync(join(agentDir, "AGENTS.md"), words.join(""));
  return { CANARY_TOKEN: canaries.environment };
}

/** Where a request holds a canary, in words; nothing if it does not. */
export function findCanaries(request: {
  url: string;
  headers: Readonly<Record<string, unknown>>;
  body: string;
}): string[] {
  const headers = Object.entries(request.headers).filter(([name]) => !AUTH.has(name));
  const places: [string, string][] = [
    ["its address", request.url],
    ["its body", request.body],
    ...headers.map(([name, value]): [string, string] => [`its header ${name}`, String(value)]),
  ];
  return places.flatMap(([place, text]) => {
    const readings = readingsOf(text);
    return Object.entries(canaries)
      .filter(([, canary]) => readings.some((reading) => holds(reading, canary)))
      .map(([name]) => `the canary of the ${name} in ${place}`);
  });
}

/** The text as it is, and as it reads without its escapes. */
function readingsOf(text: string): string[] {
  const readings = [text];
  for (let layer = 0; layer < LAYERS; layer += 1) readings.push(unescaped(readings.at(-1) ?? ""));
  readings.push(
    text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString()),
  );
  return [...new Set(readings)];
}

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gis, (_all, code: string | undefined, sign: string | undefined) =>
    code === undefined ? (sign ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function holds(text: string, canary: string): boolean {
  return text.includes(canary) || inBase64(canary).some((form) => text.includes(form));
}

/** What is left of it in base64, wherever among other bytes it begins. */
function inBase64(canary: string): string[] {
  const bytes = Buffer.from(canary);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const inner = text.slice(before === 0 ? 0 : 4, -4);
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
