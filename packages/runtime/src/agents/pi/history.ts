import { join } from "node:path";
import { piHistory } from "../json-lines/pi-history.ts";

/** Pi's conversations: `~/.pi/agent/sessions/<folder>/<time>_<id>.jsonl`. */
export const history = piHistory(({ env, home }) => {
  const own = env.PI_CODING_AGENT_SESSION_DIR;
  return [own || join(env.PI_CODING_AGENT_DIR || join(home, ".pi", "agent"), "sessions")];
});
