/** What the service starts, and with which environment. */
export type ServicePlan = {
  launcher: string;
  /** Gantry's home folder. */
  home: string;
  /** Folders in which agents and Node are found. */
  path: string;
  /** True if the home folder is not the default, so that the daemon must be given it. */
  hasOwnHome: boolean;
};

export const LAUNCHD_LABEL = "gantry.daemon";

/** Optional file with further variables, such as keys and proxies: one NAME=value per line. */
export function environmentFile(home: string): string {
  return `${home}/service.env`;
}

/**
 * The user unit for systemd. `KillMode=process`: agents survive a stop and a restart of the daemon. The ready line on stdout
 * contains a ticket, so it must not reach the journal.
 */
export function systemdUnit({ launcher, home, path, hasOwnHome }: ServicePlan): string {
  const variables = [`PATH=${path}`, ...(hasOwnHome ? [`GANTRY_HOME=${home}`] : [])];
  return `[Unit]
Description=Gantry

[Service]
ExecStart=${quote(launcher).replaceAll("$", "$$$$")} serve
${variables.map((variable) => `Environment=${quote(variable)}`).join("\n")}
EnvironmentFile=-${environmentFile(home).replaceAll("%", "%%")}
StandardOutput=null
KillMode=process
Restart=on-failure

[Install]
WantedBy=default.target
`;
}

/** A value in double quotes for a systemd unit, in which `%` begins a specifier. */
function quote(value: string): string {
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;
}

/** launchd reads no file of variables, so a shell does. */
const START = `[ -r "$0" ] && { set -a; . "$0"; set +a; }; exec "$1" serve`;

/** The agent for launchd. `AbandonProcessGroup`: agents survive a stop and a restart of the daemon. */
export function launchdPlist({ launcher, home, path, hasOwnHome }: ServicePlan): string {
  const program = ["/bin/sh", "-c", START, environmentFile(home), launcher];
  const variables = { PATH: path, ...(hasOwnHome ? { GANTRY_HOME: home } : {}) };
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LAUNCHD_LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${program.map((word) => `    <string>${escapeXml(word)}</string>`).join("\n")}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${Object.entries(variables)
  .map(([name, value]) => `    <key>${name}</key>\n    <string>${escapeXml(value)}</string>`)
  .join("\n")}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardErrorPath</key>
  <string>${escapeXml(`${home}/logs/daemon.log`)}</string>
</dict>
</plist>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
