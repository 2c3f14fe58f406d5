import { digestItems, realPath, type TrustItem, type TrustKind, type TrustStore, trustCommand } from "@gantry/trust";
import type { Store, StoredEvent } from "../log/port.ts";
import type { Sessions } from "../session/service.ts";
import type { FindProjectCode } from "./trust.ts";

export type SessionNoticesDeps = {
  store: Store;
  trust: TrustStore;
  findProjectCode: FindProjectCode;
  /** Everything that the folder would run, which is what the user decides about. */
  findItems: (folder: string) => Promise<TrustItem[]>;
  sessions: Pick<Sessions, "record">;
  log: (line: string) => void;
};

const MOST_SHOWN = 5;
const LONGEST_COMMAND = 120;
/** Sessions that are created together in a folder need one check. */
const TOGETHER_MS = 20;
/** The stored digests of what the user has been shown, by folder. */
const SHOWN = "trust.shown";
/** What a session could meet. The others belong to lanes and landings, which report them. */
const OF_SESSIONS: ReadonlySet<TrustKind> = new Set([
  "language-server",
  "mcp-server",
  "kernel",
  "program",
  "extension",
]);

/** Adds a notice to the first session in a folder that supplies programs the user has not trusted; once for each content. */
export class SessionTrustNotices {
  readonly #deps: SessionNoticesDeps;
  /** Folders whose check has not begun. */
  readonly #planned = new Set<string>();

  constructor(deps: SessionNoticesDeps) {
    this.#deps = deps;
  }

  /** Called for every commit. Returns at once; the work runs in the background. */
  committed(session: string, rows: readonly StoredEvent[]): void {
    if (!rows.some(({ type }) => type === "session.created")) return;
    const cwd = this.#deps.store.sessions.get(session)?.cwd;
    if (cwd === undefined || this.#planned.has(cwd)) return;
    this.#planned.add(cwd);
    setTimeout(() => {
      this.#planned.delete(cwd);
      void this.#check(session, cwd).catch((error) => this.#deps.log(`${session}: ${error.message}`));
    }, TOGETHER_MS).unref();
  }

  async #check(session: string, cwd: string): Promise<void> {
    const { store, trust, findProjectCode, findItems, sessions } = this.#deps;
    if (!store.sessions.get(session)) return;
    const folder = realPath(cwd);
    const items = (await findProjectCode(folder)).filter(({ kind }) => OF_SESSIONS.has(kind));
    const withheld = items.filter((item) => !trust.covers(folder, [item]));
    const digest = digestItems(withheld, folder);
    const shown = store.records<{ digest: string }>(SHOWN).get(folder)?.digest;
    if (withheld.length === 0 || shown === digest) return;
    if (trust.isDismissed(folder, await findItems(folder)) || !store.sessions.get(session)) return;
    const data = { kind: "untrusted", severity: "warning" as const, text: noticeText(folder, withheld) };
    sessions.record(session, [{ type: "notice", data }], [{ kind: SHOWN, id: folder, value: { digest } }]);
  }
}

function noticeText(folder: string, items: readonly TrustItem[]): string {
  const lines = [...new Set(items.map(({ name, command }) => `${name} (${command.slice(0, LONGEST_COMMAND)})`))];
  const more = lines.length > MOST_SHOWN ? ` and ${lines.length - MOST_SHOWN} more` : "";
  const what = `This folder supplies programs that Gantry does not run, because you have not trusted them: `;
  return `${what}${lines.slice(0, MOST_SHOWN).join(", ")}${more}. Look at them and decide: ${trustCommand(folder)}`;
}
