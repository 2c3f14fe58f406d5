import type { Probe, ProbeTools } from "../contract.ts";
import { firstLine } from "../fields.ts";

export const INSTALL = "npm install -g @ampcode/cli";

/** Probes Amp's version. The login state shows only in use; a key is an indication. */
export async function probe(tools: ProbeTools): Promise<Probe> {
  const { stdout, stderr, failed, timedOut } = await tools.run(["--version"], { timeoutMs: 10_000 });
  const [version] = /(?<!\d)\d+\.\d+\.\d+\S*/.exec(stdout) ?? [];
  if (version) return { version, auth: authOf(tools.env), problems: [], ok: true };
  const why = failed ?? (timedOut ? "it did not respond in time" : firstLine(stderr || stdout) || "no output");
  const problem = { code: "broken", message: `${tools.bin} does not run as Amp: ${why}`, fix: INSTALL };
  return { auth: { state: "unknown", how: "amp did not respond" }, problems: [problem], ok: false };
}

function authOf(env: Record<string, string>): Probe["auth"] {
  if (env.AMP_API_KEY) return { state: "unknown", how: "AMP_API_KEY is set; its validity shows only in use" };
  return { state: "unknown", how: "Amp reports its login state only in use" };
}
