import type { AgentRow, Attachment } from "@gantry/protocol";
import { editText, homePath } from "@gantry/terminal";
import { Composer, type SlashItem } from "@gantry/terminal/toolkit";
import { keyHints } from "../frame.ts";
import type { Program, View } from "../view.ts";

type Settings = { agents: string[]; model?: string; mode?: string };

/** The prompt of a new session, or of a launch: the same prompt to several agents, each in a lane. */
export class ComposeView implements View {
  private readonly program: Program;
  private readonly isLaunch: boolean;
  private readonly composer: Composer;
  private readonly cwd = process.cwd();
  private rows: readonly AgentRow[] = [];
  private settings: Settings = { agents: [] };

  constructor(program: Program, isLaunch: boolean) {
    this.program = program;
    this.isLaunch = isLaunch;
    this.composer = new Composer(program.tui, {
      theme: program.theme,
      cwd: this.cwd,
      history: program.history,
      commands: () => this.commands(),
      files: async (q, limit) => (await program.client.files.find({ cwd: this.cwd, q, limit })).files,
      submit: (text, attachments) => this.submit(text, attachments),
    });
    this.composer.focused = true;
    program.attempt(() => this.load());
  }

  get title(): string {
    return this.isLaunch ? "New launch" : "New session";
  }

  render(width: number): string[] {
    const { theme } = this.program;
    const { agents, model, mode } = this.settings;
    const names = agents.length > 0 ? agents.join(", ") : theme.yellow("choose one with /agent");
    const facts = [
      ["Folder", homePath(this.cwd)],
      [this.isLaunch ? "Agents" : "Agent", names],
      ["Model", model ?? theme.dim("the agent's default")],
      ["Mode", mode ?? theme.dim("the default")],
    ] as const;
    const rows = facts.map(([name, value]) => ` ${theme.dim(name.padEnd(8))} ${value}`);
    return ["", ...rows, "", ...this.composer.render(width - 1)];
  }

  key(key: string | undefined, data: string): boolean {
    if (key === "escape" && !this.composer.isShowingAutocomplete()) this.program.back();
    else if (key === "ctrl+g") void this.editElsewhere();
    else if (key === "shift+tab") this.nextMode();
    else this.composer.handleInput(data);
    return true;
  }

  hints(): string {
    const pairs: [string, string][] = [
      ["↵", this.isLaunch ? "launch" : "start"],
      ["/agent /model /mode", "change"],
      ["@", "files"],
      ["^g", "editor"],
      ["esc", "back"],
    ];
    return keyHints(pairs, this.program.theme);
  }

  private async load(): Promise<void> {
    const [defaults, rows] = await Promise.all([
      this.program.client.defaults.get({ cwd: this.cwd }),
      this.program.client.agents.list(),
    ]);
    this.rows = rows.filter((row) => row.state === "ready");
    const agent = defaults.agent ?? this.rows[0]?.id;
    this.settings = { agents: agent ? [agent] : [], mode: defaults.mode, model: defaults.model };
    this.program.repaint();
  }

  private commands(): SlashItem[] {
    const row = this.rows.find(({ id }) => id === this.settings.agents[0]);
    const about = this.isLaunch ? "add or remove an agent" : "choose the agent";
    return [
      {
        name: "agent",
        description: about,
        values: () => this.rows.map(({ id, name }) => ({ value: id, description: name })),
      },
      {
        name: "model",
        description: "choose the model",
        values: () => (row?.models.items ?? []).map(({ id, name }) => ({ value: id, description: name })),
      },
      { name: "mode", description: "choose the mode", values: () => (row?.modes ?? []).map((value) => ({ value })) },
    ];
  }

  private submit(text: string, attachments: Attachment[]): void {
    const [, name, value] = /^\/(agent|model|mode)\s+(\S+)\s*$/.exec(text) ?? [];
    if (name && value) return this.change(name, value);
    const { agents, model, mode } = this.settings;
    const [agent] = agents;
    if (!agent) return this.program.notify("Choose an agent first: /agent", true);
    const prompt = text;
    this.program.attempt(async () => {
      const { client } = this.program;
      const shared = { prompt, attachments, cwd: this.cwd };
      const settings = { ...(model ? { model } : {}), ...(mode ? { mode: mode as "ask" } : {}) };
      if (this.isLaunch) {
        const slots = agents.map((one) => ({ agent: one, ...(mode ? { mode: mode as "ask" } : {}) }));
        const launch = await client.launches.create({ ...shared, slots });
        this.program.back();
        this.program.notify(`Launched ${launch.slots.length} agents. l shows them.`);
        return;
      }
      const session = await client.sessions.create({ ...shared, agent, ...settings });
      this.program.store.sessions.set(session.id, session);
      this.program.back();
      this.program.openSession(session.id);
    });
  }

  private change(name: string, value: string): void {
    const { agents } = this.settings;
    if (name !== "agent") this.settings = { ...this.settings, [name]: value };
    else if (!this.isLaunch) this.settings = { agents: [value], mode: this.settings.mode };
    else {
      const rest = agents.filter((one) => one !== value);
      this.settings = { ...this.settings, agents: rest.length < agents.length ? rest : [...agents, value] };
    }
  }

  private nextMode(): void {
    const modes = this.rows.find(({ id }) => id === this.settings.agents[0])?.modes ?? [];
    const at = modes.indexOf((this.settings.mode ?? "ask") as (typeof modes)[number]);
    const next = modes[(at + 1) % Math.max(1, modes.length)];
    if (next) this.settings = { ...this.settings, mode: next };
  }

  private async editElsewhere(): Promise<void> {
    await this.program.outside(async () => {
      this.composer.setText(await editText(this.composer.text, this.program.context.env));
    });
  }
}
