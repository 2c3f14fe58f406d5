import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack, Outcome } from "../attack.ts";
import { type HostileRepository, outcomeOf, type RepositoryWorkbench } from "./workbench.ts";

type Try = (repository: HostileRepository, bench: RepositoryWorkbench) => Promise<unknown>;

const setUp = (repository: HostileRepository, name: string) => ({
  ".gantry/lane.yml": `setup: ${repository.trace(name)}\n`,
});

const trust = ({ path }: HostileRepository, { client }: RepositoryWorkbench) => client.trust.put({ path });

const attempts: Record<string, Try> = {
  "set-up command": async (repository, bench) => {
    repository.commit(setUp(repository, "setup"));
    await bench.lane(repository.path, "one");
  },
  "set-up command that is not committed": async (repository, bench) => {
    repository.write(setUp(repository, "setup"));
    await bench.lane(repository.path, "one");
  },
  "set-up command of another branch of a trusted repository": async (repository, bench) => {
    repository.commit({ ".gantry/lane.yml": "setup: 'true'\n" });
    repository.git("checkout", "-q", "-b", "evil");
    repository.commit(setUp(repository, "branch"));
    repository.git("checkout", "-q", "main");
    await trust(repository, bench);
    await bench.lane(repository.path, "one", { base: "evil" });
  },
  "set-up command that changed after trust": async (repository, bench) => {
    repository.commit({ ".gantry/lane.yml": "setup: 'true'\n" });
    await trust(repository, bench);
    repository.commit(setUp(repository, "changed"));
    await bench.lane(repository.path, "one");
  },
  "script that a trusted set-up command names": async (repository, bench) => {
    repository.commit({ ".gantry/lane.yml": "setup: sh scripts/setup.sh\n", "scripts/setup.sh": "true\n" });
    await trust(repository, bench);
    repository.commit({ "scripts/setup.sh": repository.script("script") });
    await bench.lane(repository.path, "one");
  },
  "script that the lane changes before its set-up runs again": async (repository, bench) => {
    repository.commit({ ".gantry/lane.yml": "setup: sh setup.sh\n", "setup.sh": "true\n" });
    await trust(repository, bench);
    const lane = await bench.lane(repository.path, "one");
    writeFileSync(join(lane.path, "setup.sh"), repository.script("lane"));
    await bench.client.lanes.runSetup(lane.id).catch(() => undefined);
    await sleep(2000);
  },
  "set-up command after the trust is revoked": async (repository, bench) => {
    repository.commit(setUp(repository, "revoked"));
    await trust(repository, bench);
    await bench.client.trust.revoke(repository.path);
    await bench.lane(repository.path, "one");
  },
  "set-up command of a restored lane": async (repository, bench) => {
    repository.commit(setUp(repository, "restored"));
    const lane = await bench.lane(repository.path, "one");
    await bench.client.lanes.remove(lane.id, true);
    await bench.client.lanes.undo(lane.id);
    await sleep(2000);
  },
  "set-up command in a launch": async (repository, bench) => {
    repository.commit(setUp(repository, "launch"));
    const slots = [{ agent: "gantry", model: "scripted/plain" }];
    await bench.client.launches.create({ cwd: repository.path, prompt: "go", slots });
    await sleep(4000);
  },
  "check command": async (repository, bench) => {
    repository.commit({ ".gantry/lane.yml": `check: ${repository.trace("check")}\n` });
    const slots = [{ agent: "gantry", model: "scripted/plain" }];
    const { id } = await bench.client.launches.create({ cwd: repository.path, prompt: "go", slots });
    await sleep(4000);
    await bench.client.launches.check(id).catch(() => undefined);
    await sleep(2000);
  },
  "look that is replaced before the trust": async (repository, bench) => {
    repository.commit({ ".gantry/lane.yml": "setup: 'true'\n" });
    const { digest } = await bench.client.trust.get(repository.path);
    repository.commit(setUp(repository, "replaced"));
    await bench.client.trust.put({ path: repository.path, digest }).catch(() => undefined);
    await bench.lane(repository.path, "one");
  },
  "hook of a landing": async (repository, bench) => {
    for (const hook of ["pre-commit", "commit-msg", "pre-merge-commit", "post-merge", "reference-transaction"])
      repository.write({ [`.git/hooks/${hook}`]: repository.script(hook) });
    const lane = await bench.lane(repository.path, "one");
    writeFileSync(join(lane.path, "b.txt"), "b\n");
    await bench.client.landings.land(lane.id, { commit: true });
  },
  "filter and merge driver of a landing": async (repository, bench) => {
    for (const key of ["filter.evil.clean", "filter.evil.smudge", "merge.evil.driver"])
      repository.git("config", key, `${repository.trace(key)}; cat`);
    repository.write({ ".git/info/attributes": "* filter=evil merge=evil\n" });
    const lane = await bench.lane(repository.path, "one");
    writeFileSync(join(lane.path, "b.txt"), "b\n");
    await bench.client.landings.land(lane.id, { commit: true }).catch(() => undefined);
    await bench.client.landings.update(lane.id).catch(() => undefined);
  },
  "hook that changed after trust": async (repository, bench) => {
    repository.write({ ".git/hooks/post-checkout": "#!/bin/sh\n" });
    await trust(repository, bench);
    repository.write({ ".git/hooks/post-checkout": repository.script("changed") });
    await bench.lane(repository.path, "one");
  },
  "setting that was added after trust": async (repository, bench) => {
    repository.write({ ".git/hooks/post-checkout": "#!/bin/sh\n" });
    await trust(repository, bench);
    repository.git("config", "filter.evil.smudge", `${repository.trace("added")}; cat`);
    repository.write({ ".git/info/attributes": "* filter=evil\n" });
    await bench.lane(repository.path, "one");
  },
  "push to a repository inside the project": async (repository, bench) => {
    repository.git("init", "-q", "--bare", ".git/remote.git");
    repository.write({ ".git/remote.git/hooks/pre-receive": repository.script("pre-receive") });
    repository.git("remote", "add", "origin", join(repository.path, ".git/remote.git"));
    const lane = await bench.lane(repository.path, "one");
    writeFileSync(join(lane.path, "b.txt"), "b\n");
    await bench.client.landings.land(lane.id, { how: "pr", commit: true }).catch(() => undefined);
  },
  "push to an address that is a program": async (repository, bench) => {
    repository.git("config", "protocol.ext.allow", "always");
    repository.git("remote", "add", "origin", `ext::sh -c "${repository.trace("ext").replaceAll(" ", "% ")}"`);
    const lane = await bench.lane(repository.path, "one");
    writeFileSync(join(lane.path, "b.txt"), "b\n");
    await bench.client.landings.land(lane.id, { how: "pr", commit: true }).catch(() => undefined);
  },
  "set-up command after the answer “not now”": async (repository, bench) => {
    repository.commit(setUp(repository, "later"));
    const { digest } = await bench.client.trust.get(repository.path);
    await bench.client.trust.put({ path: repository.path, digest, decision: "later" });
    await bench.lane(repository.path, "one");
  },
  "repository that replaces a trusted one at the same path": async (repository, bench) => {
    repository.commit({ ".gantry/lane.yml": "setup: 'true'\n" });
    await trust(repository, bench);
    rmSync(repository.path, { recursive: true });
    repository.gitIn(repository.top, "init", "-q", "-b", "main", repository.path);
    repository.commit(setUp(repository, "replaced"));
    await bench.lane(repository.path, "one");
  },
};

/** What a repository supplies to lanes, launches and landings. */
export function laneAttacks(bench: RepositoryWorkbench): Attack[] {
  return Object.entries(attempts).map(([name, attempt]) => ({
    name,
    class: "lanes and landings",
    run: async (): Promise<Outcome> => {
      const repository = bench.repository(name);
      await attempt(repository, bench);
      return outcomeOf(repository);
    },
  }));
}
