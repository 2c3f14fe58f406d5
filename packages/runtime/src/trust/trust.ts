import { resolve } from "node:path";
import { type FolderTrust, GantryError, type PutTrust, type TrustedFolder } from "@gantry/protocol";
import { coverageOf, digestItems, itemKey, realPath, type TrustItem, type TrustStore } from "@gantry/trust";
import { findAgentCode } from "../agents/project/find-code.ts";
import { builtInAgents } from "../agents/registry.ts";
import { permissionItems, readProjectDefaults } from "../defaults/project-defaults.ts";
import { readLaneFile } from "../lanes/create/lane-file.ts";
import type { Git } from "../lanes/git/git.ts";
import { findRepository, type Repository } from "../lanes/git/repository.ts";
import { realFolder } from "../lanes/inspect/lane-views.ts";
import { laneFileItems } from "../lanes/untrusted.ts";
import type { TrustService } from "./handlers.ts";

/** What the own agent would run in a folder. Injected, because the daemon does not contain the agent. Never rejects. */
export type FindProjectCode = (folder: string) => Promise<TrustItem[]>;

export type TrustDeps = {
  store: TrustStore;
  git: Git;
  findProjectCode: FindProjectCode;
  /** The user's home, where the agents' own configuration lies. */
  userHome: string;
  /** Called after a folder was trusted. */
  onTrusted?: () => void;
};

/** Enumerates what a folder would run, and records the user's decisions. Used by the daemon and the command line. */
export class Trust implements TrustService {
  readonly #deps: TrustDeps;

  constructor(deps: TrustDeps) {
    this.#deps = deps;
  }

  async look(path: string): Promise<FolderTrust> {
    const folder = realFolder(path);
    return this.#present(folder, await this.findItems(folder));
  }

  list(): TrustedFolder[] {
    return this.#deps.store
      .list()
      .map(({ path, trustedAt, items }) => ({ path, trustedAt, items: Object.keys(items).length }));
  }

  async put({ path, digest, decision }: PutTrust): Promise<FolderTrust> {
    const { store, onTrusted } = this.#deps;
    const folder = realFolder(path);
    const items = await this.findItems(folder);
    if (digest !== undefined && digest !== digestItems(items, folder)) {
      throw new GantryError("conflict", `What ${folder} would run has changed since you looked. Nothing was trusted.`, {
        remedy: "Look at it again, then decide.",
        details: await this.#present(folder, items),
      });
    }
    if (decision === "later") store.dismiss(folder, items);
    else store.trust(folder, items);
    if (decision === "trust") onTrusted?.();
    return this.#present(folder, items);
  }

  revoke(path: string): { path: string; revoked: boolean } {
    const folder = realPath(resolve(path));
    return { path: folder, revoked: this.#deps.store.revoke(folder) };
  }

  /** Everything that the folder supplies and that would run. Runs none of it. */
  async findItems(folder: string): Promise<TrustItem[]> {
    const { git, findProjectCode, userHome } = this.#deps;
    const code = findProjectCode(folder);
    const ofAgents = findAgentCode(builtInAgents, folder, userHome);
    const repository = await findRepository(git, folder);
    // Lanes and git belong to the whole repository, so a folder inside it does not list them.
    const ofRepository = repository && folder === repository.root ? await this.#findRepositoryItems(repository) : [];
    const project = readProjectDefaults(folder);
    const ofDefaults = project.root === folder ? permissionItems(project) : [];
    return [...(await code), ...ofAgents, ...ofRepository, ...ofDefaults];
  }

  async #findRepositoryItems({ root, primary, bare }: Repository): Promise<TrustItem[]> {
    const { git } = this.#deps;
    const file = await readLaneFile(git, { path: root, primary, bare }).catch(() => ({}));
    return [...laneFileItems(file, root), ...(await git.listPrograms(root))];
  }

  async #present(folder: string, items: readonly TrustItem[]): Promise<FolderTrust> {
    const { store } = this.#deps;
    const covering = store.coveringFolder(folder);
    const isTrusted = store.covers(folder, items);
    return {
      path: folder,
      state: covering === undefined ? "untrusted" : isTrusted ? "trusted" : "changed",
      ...(covering !== undefined && covering !== folder ? { through: covering } : {}),
      target: isTrusted ? folder : await this.#findTarget(folder, items),
      items: items.map((item) => {
        const { kind, name, file, command } = item;
        return { kind, name, file, command, trusted: store.covers(folder, [item]) };
      }),
      digest: digestItems(items, folder),
      dismissed: store.isDismissed(folder, items),
      ...(covering === undefined ? {} : { trustedAt: store.find(covering)?.trustedAt }),
    };
  }

  /** The main work tree of a lane, if its trust would cover all of these items. */
  async #findTarget(folder: string, items: readonly TrustItem[]): Promise<string> {
    const main = coverageOf(folder).find((one) => one.folder === folder && one.record !== folder)?.record;
    if (main === undefined) return folder;
    try {
      const ofMain = new Map((await this.findItems(realFolder(main))).map((item) => [itemKey(item, main), item.hash]));
      return items.every((item) => ofMain.get(itemKey(item, folder)) === item.hash) ? main : folder;
    } catch {
      return folder;
    }
  }
}
