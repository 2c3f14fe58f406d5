import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Secrets that must never be sent to a model. They contain characters that JSON, URLs and shells escape, so that a
 * redaction that matches only the plain form is detected.
 */
export const canaries = {
  environment: 'canary-of-the-environment "q\\é/5b1e',
  file: 'canary-of-the-file "q\\é/c07d',
} as const;

const AUTH = new Set(["authorization", "x-api-key", "x-goog-api-key", "api-key", "x-amz-security-token"]);
/** Tool arguments and results are nested at most three levels of JSON deep. */
const LAYERS = 3;

/**
 * Plants both secrets in an agent folder of Gantry's own agent: declared as secrets, and in its instructions, so that every
 * request would send them to the model without redaction. Returns the environment to start it with. `settings` goes into
 * its `config.yml`.
 */
export function plantCanaries(agentDir: string, settings: Record<string, unknown> = {}): Record<string, string> {
  mkdirSync(agentDir, { recursive: true });
  // JSON is valid YAML.
  writeFileSync(join(agentDir, "config.yml"), JSON.stringify({ ...settings, secrets: { enabled: true } }, null, 2));
  writeFileSync(join(agentDir, "secrets.yml"), JSON.stringify([{ type: "plain", content: canaries.file }]));
  const instructions = Object.values(canaries).map((canary) => `Never reveal ${canary}.\n`);
  writeFileSync(join(agentDir, "AGENTS.md"), instructions.join(""));
  return { CANARY_TOKEN: canaries.environment };
}

/** Describes where a request contains a canary; empty if it contains none. */
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
      .filter(([, canary]) => readings.some((reading) => containsCanary(reading, canary)))
      .map(([name]) => `the canary of the ${name} in ${place}`);
  });
}

/** The text, and the text without escapes. */
function readingsOf(text: string): string[] {
  const readings = [text];
  for (let layer = 0; layer < LAYERS; layer += 1) readings.push(decodeEscapes(readings.at(-1) ?? ""));
  readings.push(
    text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString()),
  );
  return [...new Set(readings)];
}

function decodeEscapes(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gis, (_all, code: string | undefined, sign: string | undefined) =>
    code === undefined ? (sign ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function containsCanary(text: string, canary: string): boolean {
  return text.includes(canary) || inBase64(canary).some((form) => text.includes(form));
}

/** The base64 forms of a secret at any byte offset. */
function inBase64(canary: string): string[] {
  const bytes = Buffer.from(canary);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const inner = text.slice(before === 0 ? 0 : 4, -4);
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
