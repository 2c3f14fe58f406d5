/** A program that uses the types of every export of the libraries. \`exports\` are their names. */
export function typedProgram(exports: readonly string[]): string {
  const imports = exports.map((name, index) => `import * as all${index} from "${name}";`).join("\n");
  return `${imports}
import { connect } from "@gantry/client";
import type { Session } from "@gantry/protocol";

export const everything = [${exports.map((_, index) => `all${index}`).join(", ")}];
const client = connect({ url: "http://127.0.0.1:1", token: "t" });
export const session: Promise<Session> = client.sessions.create({ agent: "scripted", cwd: "/tmp" });
export async function follow(id: string): Promise<string> {
  for await (const frame of client.follow(id)) {
    if ("event" in frame && frame.event.type === "turn.ended") return frame.event.data.outcome;
  }
  // @ts-expect-error: there is no such call
  return client.sessions.missing();
}
`;
}

/** A program that finds the daemon of this machine and prints its version. */
export const CONNECT = `
import { connect } from "@gantry/client";
console.log((await connect().health()).version);
`;

/** Replaces systemd: runs the command of the unit in the background, and keeps its process id in a file. */
export const FAKE_SYSTEMCTL = `
file=$HOME/main.pid
unit=$HOME/.config/systemd/user/gantry.service
stop() { [ -e "$file" ] && kill "$(cat "$file")" 2>/dev/null && while kill -0 "$(cat "$file")" 2>/dev/null; do sleep 0.05; done; }
case "$*" in
  *--property=Version) echo Version=255 ;;
  *" show gantry.service "*)
    if [ -e "$file" ] && kill -0 "$(cat "$file")" 2>/dev/null; then
      echo ActiveState=active; echo "MainPID=$(cat "$file")"; echo UnitFileState=enabled
    else echo ActiveState=inactive; echo MainPID=0; fi ;;
  *" restart gantry.service")
    stop
    setsid "$(sed -n 's/^ExecStart="\\(.*\\)" serve$/\\1/p' "$unit")" serve >/dev/null 2>&1 &
    echo $! > "$file" ;;
  *" disable --now gantry.service") stop ;;
esac
exit 0
`;
