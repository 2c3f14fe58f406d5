import type { Probe, ProbeTools } from "../contract.ts";
import { firstLine } from "../fields.ts";

export const INSTALL = "npm install -g @sourcegraph/amp";

/** Asks the installed Amp for its version. Whether it is logged in shows only when it works; a key is a good sign. */
export async function probe(tools: ProbeTools): Promise<Probe> {
  const { stdout, stderr, failed, timedOut } = await tools.run(["--version"], { timeoutMs: 10_000 });
  const [version] = /\d+\.\d+\.\d+\S*/.exec(stdout) ?? [];
  if (version) return { version, auth: authOf(tools.env), problems: [], ok: true };
  const why = failed ?? (timedOut ? "it did not answer in time" : firstLine(stderr || stdout) || "it said nothing");
  const problem = { code: "broken", message: `${tools.bin} does not run as Amp: ${why}`, fix: INSTALL };
  return { auth: { state: "unknown", how: "amp did not answer" }, problems: [problem], ok: false };
}

function authOf(env: Record<string, string>): Probe["auth"] {
  if (env.AMP_API_KEY)
    return { state: "unknown", how: "AMP_API_KEY is set; Amp tells only in use whether it is valid" };
  return { state: "unknown", how: "Amp tells only in use whether it is logged in" };
}
