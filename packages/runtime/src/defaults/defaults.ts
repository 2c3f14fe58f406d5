import { isAbsolute, join } from "node:path";
import {
  type AgentRow,
  type ChangeDefaults,
  type ControlValues,
  type CreateSession,
  changeControls,
  type Defaults,
  GantryError,
  type Mode,
  permitControls,
  type ResolvedDefaults,
} from "@gantry/protocol";
import { realPath, type TrustStore, trustCommand } from "@gantry/trust";
import { appliedMode } from "../agents/applied-mode.ts";
import type { Agent } from "../agents/contract.ts";
import { compact } from "../agents/fields.ts";
import type { Config } from "../config.ts";
import type { FilledRequest } from "../session/create-session.ts";
import { sessionFolder } from "../session/folders.ts";
import { editYaml, type YamlEdit } from "../settings/edit-yaml.ts";
import type { DefaultService } from "./handlers.ts";
import {
  BUILT_IN_MODE,
  PROJECT_FILE,
  type ProjectDefaults,
  ProjectFile,
  permissionItems,
  readProjectDefaults,
  withoutPermissions,
} from "./project-defaults.ts";
import { resolveDefaults } from "./resolve-defaults.ts";
import { writeInProject } from "./write-in-project.ts";

export type DefaultsDeps = {
  config: Config;
  trust: TrustStore;
  /** Changes `config.yml`. Throws `GantryError`. */
  editConfig: (edits: YamlEdit[]) => void;
  rows: () => Promise<AgentRow[]>;
  agent: (id: string) => Agent | undefined;
  /** The agents of the sessions in a folder, the newest first. */
  usedAgents: (folder: string) => string[];
};

/** Agent, model, mode, effort and controls of new sessions, from the project, the user and the folder's history. */
export class SessionDefaults implements DefaultService {
  readonly #deps: DefaultsDeps;

  constructor(deps: DefaultsDeps) {
    this.#deps = deps;
  }

  /** A folder that does not exist here has no defaults of a project. Throws `invalid` for a relative path. */
  async get({ cwd, agent }: { cwd?: string; agent?: string }): Promise<ResolvedDefaults> {
    requireAbsolute(cwd);
    const project = cwd === undefined ? undefined : this.#project(cwd);
    const user = this.#deps.config.defaults;
    const last = cwd === undefined ? undefined : this.#lastAgent(cwd);
    const hasAgent = (agent ?? project?.usable.agent ?? user.agent ?? last) !== undefined;
    const ready = hasAgent ? [] : await this.#ready();
    const settings = resolveDefaults({ project: project?.usable ?? {}, user, last, ready }, agent);
    return {
      ...settings,
      titles: this.#deps.config.titles.model && project?.read.titles.model !== false,
      choices: ready,
      user,
      project: project?.read.defaults ?? {},
      ...(project?.read.file === undefined ? {} : { projectFile: project.read.file }),
      withheld: project?.withheld ?? [],
    };
  }

  /** Probes agents only if neither the request, the defaults nor the folder name one. Throws `invalid` if none is found. */
  async fill(body: CreateSession, cwd: string): Promise<FilledRequest> {
    const { usable, withheld } = this.#project(cwd);
    const user = this.#deps.config.defaults;
    const hasAgent = (body.agent ?? usable.agent ?? user.agent) !== undefined;
    const last = hasAgent ? undefined : this.#lastAgent(cwd);
    const ready = hasAgent || last ? [] : await this.#ready();
    const { agent, model, mode, effort, controls } = resolveDefaults(
      { project: usable, user, last, ready },
      body.agent,
    );
    if (agent === undefined) throw await this.#noDefaultAgent(ready);
    const { model: _, mode: __, effort: ___, controls: named, ...rest } = body;
    const settings = {
      model: choose(body.model, model),
      mode: choose(body.mode, mode) ?? BUILT_IN_MODE,
      effort: choose(body.effort, effort),
    };
    const permitted = controls && this.#permit(agent, settings.mode, controls);
    const all = permitted || named ? { controls: changeControls(permitted, named ?? {}) } : {};
    return { body: { ...compact(rest), ...compact(settings), ...all, agent }, notices: withheld };
  }

  async set(body: ChangeDefaults): Promise<ResolvedDefaults> {
    const { scope, cwd, agent } = body;
    if (agent) this.#requireAgent(agent);
    if (body.for) this.#requireAgent(body.for);
    const edits = editsOf(body);
    if (edits.length === 0) throw new GantryError("invalid", "There is no default to change.");
    requireAbsolute(cwd);
    if (scope === "user") this.#deps.editConfig(edits);
    else this.#editProject(sessionFolder({ cwd }), edits);
    return this.get({ ...(cwd === undefined ? {} : { cwd }), ...(body.for ? { agent: body.for } : {}) });
  }

  /** Default controls never make a request fail: those that the agent lacks or the mode does not permit are left out. */
  #permit(id: string, mode: Mode, controls: ControlValues): ControlValues {
    const agent = this.#deps.agent(id);
    return agent ? permitControls(agent.controls, appliedMode(agent, mode), controls).values : {};
  }

  /** What a person writes through Gantry is trusted, as far as the rest of the file was. */
  #editProject(cwd: string, edits: YamlEdit[]): void {
    const { trust } = this.#deps;
    const { read, isTrusted } = this.#project(cwd);
    const path = join(read.root, PROJECT_FILE);
    writeInProject(path, () => editYaml(path, read.text, ProjectFile, edits));
    const items = permissionItems(readProjectDefaults(read.root));
    if (isTrusted && items.length > 0) trust.add(read.root, items);
  }

  #project(cwd: string): { read: ProjectDefaults; usable: Defaults; withheld: string[]; isTrusted: boolean } {
    const read = readProjectDefaults(cwd);
    const items = permissionItems(read);
    const isTrusted = items.length === 0 || this.#deps.trust.covers(read.root, items);
    const needTrust = items.map(
      ({ command }) =>
        `The project's defaults (${command}) allow more than ${BUILT_IN_MODE} and are not used before you have trusted them: ${trustCommand(read.root)}`,
    );
    const withheld = [...read.mistakes, ...(isTrusted ? [] : needTrust)];
    return { read, usable: isTrusted ? read.defaults : withoutPermissions(read.defaults), withheld, isTrusted };
  }

  #lastAgent(cwd: string): string | undefined {
    const isReal = (id: string) => this.#deps.agent(id)?.demo === undefined && this.#deps.agent(id) !== undefined;
    return this.#deps.usedAgents(realPath(cwd)).find(isReal);
  }

  /** A demonstration agent is never chosen without its name. */
  async #ready(): Promise<string[]> {
    return (await this.#deps.rows()).filter((row) => isReady(row) && !row.demo).map(({ id }) => id);
  }

  async #noDefaultAgent(ready: readonly string[]): Promise<GantryError> {
    const rows = await this.#deps.rows();
    const logins = rows.filter(({ state, auth }) => state === "ready" && auth.state === "missing").map(({ id }) => id);
    const demo = rows.find((row) => row.demo)?.id;
    const none =
      logins.length > 0 ? `No agent is logged in here: ${logins.join(", ")}.` : "No agent is installed here.";
    const choices = ready.length > 0 ? `Ready here: ${ready.join(", ")}.` : none;
    const [login] = logins;
    const setUp = login ? `Log in with \`gantry login ${login}\`` : "Install one: `gantry agents` lists the commands";
    const remedy =
      ready.length > 0
        ? "Name one with `-a <agent>`, or set a default: `gantry set --defaults user --agent <agent>`."
        : `${setUp}.${demo ? ` To try Gantry without a model, name the scripted agent: \`-a ${demo}\`.` : ""}`;
    const message = `No agent was named, and there is no default agent. ${choices}`;
    return new GantryError("invalid", message, { remedy, details: { choices: ready } });
  }

  #requireAgent(agent: string): void {
    if (this.#deps.agent(agent)) return;
    throw new GantryError("invalid", `There is no agent "${agent}".`, { remedy: "See `gantry agents`." });
  }
}

/** The value of a request before the default; `null` drops the default. */
function choose<T>(requested: T | null | undefined, standard: T | undefined): T | undefined {
  return requested === undefined ? standard : (requested ?? undefined);
}

function requireAbsolute(cwd: string | undefined): void {
  if (cwd === undefined || isAbsolute(cwd)) return;
  throw new GantryError("invalid", `cwd must be an absolute path, not ${cwd}.`);
}

function editsOf({ for: agent, scope: _, cwd: __, controls, titles, ...settings }: ChangeDefaults): YamlEdit[] {
  const place = agent === undefined ? ["defaults"] : ["defaults", "agents", agent];
  const plain = Object.entries(settings).flatMap(([key, value]) =>
    value === undefined ? [] : [{ keys: [...place, key], value }],
  );
  return [
    ...plain,
    ...(titles === undefined ? [] : [{ keys: ["titles", "model"], value: titles }]),
    ...Object.entries(controls ?? {}).map(([id, value]) => ({ keys: [...place, "controls", id], value })),
  ];
}

function isReady({ state, auth }: AgentRow): boolean {
  return state === "ready" && auth.state !== "missing";
}
