import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The provider of a model that follows a script: `--model demo/tour` needs no key and no network. */
const PROVIDER = "demo";
const PACE_MS = 15;

export function isDemoModel(selector: string | undefined, provider?: string): boolean {
  return provider === PROVIDER || selector === PROVIDER || selector?.startsWith(`${PROVIDER}/`) === true;
}

/**
 * Starts the scripted model on loopback for the lifetime of this process. Returns a models file that registers it.
 */
export async function serveDemoModel(): Promise<string> {
  const { startScriptedModel } = await import("@gantry/scripted");
  const { url } = await startScriptedModel({ defaults: { scenario: "demo", pace: PACE_MS } });
  const folder = mkdtempSync(join(tmpdir(), "gantry-demo-model-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "models.yml");
  writeFileSync(file, JSON.stringify({ providers: { [PROVIDER]: provider(url) } }));
  return file;
}

function provider(url: string) {
  return {
    baseUrl: url,
    api: "anthropic-messages",
    auth: "none",
    models: [{ id: "tour", name: "Tour", reasoning: true, input: ["text", "image"], contextWindow: 200_000 }],
  };
}
