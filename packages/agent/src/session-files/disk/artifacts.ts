import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorText } from "../../contract/errors.ts";
import { SessionError } from "../../contract/session.ts";

/** Long outputs of a session, stored as `<id>.<tool>.log`. In memory until the session file exists. */
export class Artifacts {
  private readonly folder: string | undefined;
  private readonly held = new Map<string, { name: string; text: string }>();
  private next: number | undefined;

  constructor(folder: string | undefined) {
    this.folder = folder;
  }

  keep(text: string, tool: string, onDisk: boolean): string {
    this.next ??=
      1 +
      Math.max(
        -1,
        ...this.names()
          .map((name) => Number.parseInt(name, 10))
          .filter(Number.isFinite),
      );
    const id = String(this.next);
    const name = `${id}.${tool.replace(/[^\w-]/g, "_").slice(0, 64)}.log`;
    this.held.set(id, { name, text });
    this.next++;
    if (onDisk) this.settle();
    return id;
  }

  read(id: string): string | undefined {
    const held = this.held.get(id);
    if (held) return held.text;
    if (!this.folder || !/^\d{1,9}$/.test(id)) return undefined;
    const name = this.names().find((name) => name.startsWith(`${id}.`));
    return name === undefined ? undefined : readFileSync(join(this.folder, name), "utf8");
  }

  /** Writes artifacts that are only in memory. */
  settle(): void {
    if (!this.folder || this.held.size === 0) return;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      for (const [id, { name, text }] of this.held) {
        writeFileSync(join(this.folder, name), text, { mode: 0o600 });
        this.held.delete(id);
      }
    } catch (error) {
      throw new SessionError(`${this.folder} cannot be written: ${errorText(error)}`);
    }
  }

  private names(): string[] {
    try {
      return this.folder ? readdirSync(this.folder) : [];
    } catch {
      return [];
    }
  }
}
