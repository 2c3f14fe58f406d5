const labels: Record<string, string> = {
  "deadlines.handshakeSeconds": "Start timeout",
  "deadlines.resumeSeconds": "Resume timeout",
  "deadlines.loginSeconds": "Login timeout",
  "deadlines.firstOutputSeconds": "First output timeout",
  "deadlines.silenceSeconds": "Stall timeout",
  "deadlines.retrySeconds": "Agent retry timeout",
  "deadlines.turnSeconds": "Turn timeout",
  "deadlines.interruptSeconds": "Interrupt timeout",
  "deadlines.lostOutputSeconds": "Timeout after lost output",
  "deadlines.stopSeconds": "Stop timeout",
  idleSeconds: "Release idle sessions after",
  "processes.max": "Maximum agent processes",
  "processes.warmUp": "Start agents when a session is opened",
  "limits.enabled": "Hold sessions at rate limits",
  "limits.autoResume": "Resume held sessions automatically",
  "limits.goOn": "Continue interrupted turns after a limit",
  "limits.retrySeconds": "Agent retry timeout at a limit",
  "limits.backoffSeconds": "Retry delays",
  "limits.overloadSeconds": "Retry delays while overloaded",
  "limits.jitterSeconds": "Random delay after a limit",
  "limits.staggerSeconds": "Delay between resumed sessions",
  "budgets.dayUsd": "Daily budget (US dollars)",
  "budgets.sessionUsd": "Session budget (US dollars)",
  "prompt.instructions": "Instructions for every agent",
  "prompt.hints": "Describe the workspace to agents",
  "scribe.agent": "Text helper: agent",
  "scribe.model": "Text helper: model",
  "scribe.seconds": "Text helper: timeout",
  "titles.model": "A cheap model writes titles and lane names",
  "summaries.model": "A cheap model writes summaries",
  "handoff.briefChars": "Maximum brief length",
  "handoff.summary": "A cheap model summarizes briefs",
  switching: "Switching to another agent's model",
  queueLimit: "Maximum queued messages",
  lineLimitMb: "Maximum output line (MB)",
  "schedules.catchUp": "Missed schedules",
  "checkpoints.enabled": "Checkpoint files around every turn",
  "checkpoints.seconds": "Checkpoint timeout",
  "checkpoints.fileMb": "Largest file in a checkpoint (MB)",
  "checkpoints.untrackedFiles": "Maximum untracked files",
  "checkpoints.days": "Keep checkpoints for (days)",
  "checkpoints.keep": "Turns that always keep a checkpoint",
  "spawns.depth": "Nested sessions: depth",
  "spawns.live": "Nested sessions: at once",
  "spawns.tell": "Inform agents about nested sessions", // prose-ignore: key of the configuration
  "mcp.offer": "Offer Gantry's tools to agents",
  "retention.spoolDays": "Keep recordings for (days)",
  "retention.spoolMb": "Maximum size of recordings (MB)",
  "lanes.folder": "Lane folder",
  "lanes.branchPrefix": "Lane branch prefix",
  "lanes.firstPort": "First lane port",
  "lanes.ports": "Ports per lane",
  "lanes.setupSeconds": "Lane set-up timeout",
  "lanes.idleDays": "Suggest removing lanes after (days)",
  "server.hosts": "Additional hosts",
  "server.origins": "Additional origins",
  "server.bodyMb": "Largest request (MB)",
};

/** The name of a setting in the page. A key without a label is split at its capitals: `server.bodyMb` → `Server: body mb`. */
export function settingLabel(key: string): string {
  const known = labels[key];
  if (known) return key.endsWith("Seconds") || key.endsWith(".seconds") ? `${known} (seconds)` : known;
  const [first = "", ...rest] = key
    .split(".")
    .map((part) => part.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(": ");
}
