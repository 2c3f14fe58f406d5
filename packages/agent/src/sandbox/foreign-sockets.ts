import { readFileSync } from "node:fs";

/** Folders with sockets of the machine's services. A read-only mount does not prevent the use of a socket. */
export const SERVICE_FOLDERS: readonly string[] = ["/run", "/var/run"];

/** Variables that point to agents, sessions and services outside the sandbox. */
export const SOCKET_VARIABLES: readonly string[] =
  `SSH_AUTH_SOCK SSH_AGENT_PID SSH_ASKPASS SUDO_ASKPASS GIT_ASKPASS GPG_AGENT_INFO GNOME_KEYRING_CONTROL
  DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS DBUS_STARTER_ADDRESS XDG_RUNTIME_DIR SESSION_MANAGER
  DISPLAY XAUTHORITY ICEAUTHORITY WAYLAND_DISPLAY WAYLAND_SOCKET SWAYSOCK I3SOCK NIRI_SOCKET
  HYPRLAND_INSTANCE_SIGNATURE PULSE_SERVER PIPEWIRE_REMOTE DOCKER_HOST DOCKER_CONTEXT CONTAINER_HOST
  CONTAINERD_ADDRESS TMUX TMUX_PANE STY ZELLIJ ZELLIJ_SESSION_NAME KITTY_LISTEN_ON WEZTERM_UNIX_SOCKET
  ALACRITTY_SOCKET NVIM NVIM_LISTEN_ADDRESS VSCODE_IPC_HOOK VSCODE_IPC_HOOK_CLI VSCODE_GIT_IPC_HANDLE
  NOTIFY_SOCKET LISTEN_FDS LISTEN_PID LISTEN_FDNAMES`.split(/\s+/);

const LINE = /^(?:\S+\s+){7}(\/.*)$/;

/** The file names of all sockets that programs on this machine have open now. Names may be stale. Never throws. */
export function listSockets(): string[] {
  let table: string;
  try {
    table = readFileSync("/proc/net/unix", "utf8");
  } catch {
    return [];
  }
  return [...new Set(table.split("\n").flatMap((line) => LINE.exec(line)?.[1] ?? []))];
}
