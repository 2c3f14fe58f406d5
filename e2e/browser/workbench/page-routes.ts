import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workbench } from "./workbench.ts";

const WEB = join(import.meta.dirname, "../../../packages/web/src");

/** Makes a lane, a launch and a project, and returns an address for every route, with these sessions alone and as tiles. */
export async function prepareAddresses({ client, folder }: Workbench, sessions: readonly string[]): Promise<string[]> {
  const slots = [{ agent: "scripted" }, { agent: "scripted" }];
  const launch = await client.launches.create({ prompt: "[[text]]", cwd: folder, slots });
  const lane = await client.lanes.create({ cwd: folder, name: "rates" });
  const [project] = (await client.projects.list()).projects;
  return listAddresses({
    "/s/:id": [...sessions.map((id) => `/s/${id}`), `/s/${sessions.slice(0, 2).join("+")}`],
    "/lanes/:id": [`/lanes/${lane.id}`],
    "/launches/:id": [`/launches/${launch.id}`],
    "/projects/:id": [`/projects/${project?.id}`],
    "/p/:id": [`/p/${project?.id}`],
    "/compare": [`/compare?lanes=${lane.id}`],
    "/search": ["/search?q=answer"],
  });
}

/**
 * An address for every route of the page and every tab of the settings, read from the sources, so that a new view is covered.
 * `examples` replaces the parameters of paths such as `/s/:id`; a path without an example throws.
 */
function listAddresses(examples: Record<string, readonly string[]>): string[] {
  const files = globSync("*/feature.tsx", { cwd: WEB }).toSorted();
  const paths = files.flatMap((file) => matchAll(join(WEB, file), /\bpath: "([^"]+)"/g));
  if (paths.length < files.length / 2) throw new Error("The routes of the page were not found.");
  const tabs = matchAll(join(WEB, "settings/settings.tsx"), /\{ id: "([^"]+)", name:/g);
  const settings = tabs.map((tab) => `/settings?tab=${tab}`);
  const plain = paths.flatMap((path) => {
    if (!path.includes(":") && examples[path] === undefined) return path;
    const filled = examples[path];
    if (!filled) throw new Error(`${path} needs an example in this test.`);
    return filled;
  });
  return [...plain, ...settings];
}

function matchAll(path: string, pattern: RegExp): string[] {
  return [...readFileSync(path, "utf8").matchAll(pattern)].map(([, found = ""]) => found);
}
