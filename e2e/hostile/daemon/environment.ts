import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Attack, Outcome } from "../attack.ts";
import type { Scene } from "./scene.ts";

const VARIABLES = [
  ...[
    "LD_PRELOAD",
    "LD_AUDIT",
    "DYLD_INSERT_LIBRARIES",
    "BASH_ENV",
    "ENV",
    "PROMPT_COMMAND",
    "SHELLOPTS",
    "PS4",
    "ZDOTDIR",
  ],
  ...[
    "GIT_SSH_COMMAND",
    "GIT_EXTERNAL_DIFF",
    "GIT_CONFIG_COUNT",
    "GIT_PAGER",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "RSYNC_RSH",
  ],
  ...["NODE_OPTIONS", "NODE_PATH", "npm_config_script_shell", "PYTHONSTARTUP", "PYTHONPATH", "PERL5OPT", "RUBYOPT"],
  ...["JAVA_TOOL_OPTIONS", "EDITOR", "PAGER", "LESSOPEN", "MAKEFLAGS", "RUSTC_WRAPPER", "TAR_OPTIONS", "GANTRY_HOME"],
];

/** A session whose `env` makes the agent's own shell run code: the session must not be created. */
export function environmentAttacks(scene: Scene): Attack[] {
  return VARIABLES.map((name) => ({ name: `env ${name}`, class: "environment", run: () => setVariable(scene, name) }));
}

async function setVariable({ ask, place }: Scene, name: string): Promise<Outcome> {
  const mark = join(place.root, `ran-${name}`);
  const body = {
    agent: "scripted",
    cwd: place.cwd,
    mode: "full-auto",
    env: { [name]: `touch ${mark}` },
    prompt: "[[bash]]",
  };
  const response = await ask("/v1/sessions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 422) return { held: false, effect: `${name} was accepted (${response.status})` };
  if (!text.includes(name)) return { held: false, effect: "the answer does not name the variable" };
  return existsSync(mark) ? { held: false, effect: "the variable ran code" } : { held: true };
}
