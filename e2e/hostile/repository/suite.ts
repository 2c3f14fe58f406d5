import type { Suite } from "../attack.ts";
import { agentAttacks } from "./agent-attacks.ts";
import { fileKindAttacks } from "./file-kinds.ts";
import { gitAttacks } from "./git-attacks.ts";
import { laneAttacks } from "./lane-attacks.ts";
import { RepositoryWorkbench } from "./workbench.ts";

/** Each attack has its own repository. An attack holds if none of the repository's programs left a trace. */
export const repositorySuite: Suite = {
  name: "repository",
  about: "A hostile repository that the user opens, with a real daemon and the own agent, and has not trusted.",
  async open() {
    const bench = await RepositoryWorkbench.open();
    return {
      attacks: [...agentAttacks(bench), ...laneAttacks(bench), ...gitAttacks(bench), ...fileKindAttacks(bench)],
      close: () => bench.close(),
    };
  },
};
