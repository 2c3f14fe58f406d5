import { existsSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { ToolError } from "../contract/tool.ts";
import { listSessions } from "../session-files/listing.ts";
import { agentDirectory, type Place, sessionFolder } from "../session-files/paths.ts";
import { MemoryDatabase } from "./database.ts";
import { memoryFiles, readMemoryFile, readSummary } from "./files.ts";
import type { Memory, MemorySettings } from "./port.ts";
import { work } from "./work.ts";

export const MEMORY_DEFAULTS: MemorySettings = {
  enabled: false,
  maxRolloutAgeDays: 30,
  minRolloutIdleHours: 12,
  maxRolloutsPerStartup: 64,
  summaryInjectionTokenLimit: 5000,
  maxRawMemories: 200,
  concurrency: 8,
  extractionLeaseMs: 120_000,
  consolidationLeaseMs: 180_000,
  heartbeatMs: 30_000,
  retryDelayMs: 3_600_000,
};
const MOST_SCANNED = 300;
const CHARACTERS_PER_TOKEN = 4;

export type MemoryOptions = Place & { cwd: string; settings?: Partial<MemorySettings>; now?: () => number };

export function createMemory(options: MemoryOptions): Memory {
  const settings = { ...MEMORY_DEFAULTS, ...options.settings };
  const agentDir = options.agentDir ?? agentDirectory();
  const scope = resolve(options.cwd);
  const folder = join(agentDir, "memories", basename(sessionFolder(scope, { agentDir })));
  const file = join(agentDir, "memory.db");
  const now = options.now ?? Date.now;
  const prompt = () =>
    settings.enabled ? guidance(readSummary(folder), settings.summaryInjectionTokenLimit) : undefined;

  async function withDatabase<Result>(use: (db: MemoryDatabase) => Result | Promise<Result>): Promise<Result> {
    const db = await MemoryDatabase.open(file, now);
    try {
      return await use(db);
    } finally {
      db.close();
    }
  }

  return {
    prompt,
    view() {
      const files = memoryFiles(folder).map((name) => join(folder, name));
      const state = settings.enabled ? "" : "Memory is off (memories.enabled).\n\n";
      return `${state}${prompt() ?? "Nothing is added to new sessions yet."}\n\n${files.join("\n")}`.trim();
    },
    async run(ask, signal, { activeSession } = {}) {
      if (!settings.enabled) return { extracted: 0, consolidated: false, problems: [] };
      const ran = withDatabase((db) => {
        for (const session of findDueSessions(scope, { ...options, agentDir }, settings, now())) {
          if (session.id !== activeSession) db.want({ ...session, scope });
        }
        return work({ db, scope, folder, settings, ask, signal });
      });
      return ran.catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        return { extracted: 0, consolidated: false, problems: [`${file}: ${message}`] };
      });
    },
    async clear() {
      // The jobs first: a consolidation that is running now loses its job and cannot write the files again.
      if (existsSync(file)) await withDatabase((db) => db.clear(scope));
      rmSync(folder, { recursive: true, force: true });
    },
    async enqueue() {
      if (!settings.enabled) return false;
      await withDatabase((db) => db.wantConsolidation(scope));
      return true;
    },
    urls: {
      description: "Notes from earlier sessions of this project.",
      read: async (url) => readUrl(folder, url, settings.enabled),
    },
  };
}

/** Sessions that have been idle long enough and are not too old. */
function findDueSessions(
  cwd: string,
  place: Place,
  settings: MemorySettings,
  now: number,
): { id: string; file: string; updatedAt: number }[] {
  const youngest = now - settings.minRolloutIdleHours * 3_600_000;
  const oldest = now - settings.maxRolloutAgeDays * 86_400_000;
  return listSessions({ cwd }, place)
    .slice(0, MOST_SCANNED)
    .filter(({ modifiedAt }) => modifiedAt <= youngest && modifiedAt >= oldest)
    .slice(0, settings.maxRolloutsPerStartup)
    .map(({ id, file, modifiedAt }) => ({ id, file, updatedAt: Math.floor(modifiedAt) }));
}

function guidance(summary: string | undefined, tokens: number): string | undefined {
  if (summary === undefined) return undefined;
  const room = tokens * CHARACTERS_PER_TOKEN - HEAD.length;
  const fitting = summary.length <= room ? summary : summary.slice(0, Math.max(0, summary.lastIndexOf("\n", room)));
  return `${HEAD}${fitting || summary.slice(0, Math.max(0, room))}`;
}

const HEAD = `# Memory Guidance

Notes from earlier sessions of this project. They help with process and earlier decisions. They may be out of date: check them
against the repository before you act on them. Where they contradict the repository or the user, they are stale.

`;

function readUrl(folder: string, url: string, enabled: boolean) {
  const path = url.replace(/^memory:\/\/(?:root)?\/?/, "");
  const text = enabled ? readMemoryFile(folder, path || "memory_summary.md") : undefined;
  if (text !== undefined) return { text, contentType: "text/markdown" as const };
  const names = enabled ? memoryFiles(folder).map((name) => `memory://root/${name}`) : [];
  throw new ToolError(
    `There is no ${url}. ${names.length > 0 ? `Known files: ${names.join(", ")}` : "There is no memory of this project yet."}`,
  );
}
