import { ALL_MODES, connectTo, ELSEWHERE, GANTRY, HOME, type Probe, probesOf, WITHOUT_NETWORK } from "../probe.ts";

/** Where the world has listeners. */
export const SOCKETS: readonly string[] = [
  "/run/docker.sock",
  "/run/dbus/system_bus_socket",
  "/run/user/1000/bus",
  "/run/user/1000/wayland-0",
  "/run/containerd/containerd.sock",
  "/tmp/ssh-agent.sock",
  "/tmp/.X11-unix/X0",
  "/tmp/tmux-1000/default",
  `${HOME}/.gnupg/S.gpg-agent`,
  `${HOME}/.docker/run.sock`,
  `${HOME}/.cache/editor.sock`,
  `${HOME}/socket`,
  `${ELSEWHERE}/agent.sock`,
  "/var/tmp/service.sock",
];
export const ABSTRACT_SOCKETS: readonly string[] = ["\0/tmp/.X11-unix/X0", "\0/tmp/dbus-session", "\0containerd-shim"];
/** Where the world has named pipes with a reader. */
export const FIFOS: readonly string[] = [
  `${GANTRY}/spool/one/in`,
  `${ELSEWHERE}/pipe`,
  "/var/tmp/pipe",
  "/run/initctl",
];
export const TMUX = `${ELSEWHERE}/tmux.sock`;
/** The world listens here on TCP. */
export const PORT = 45871;

const sockets = probesOf("socket", [
  ...SOCKETS.map((path) => ({ name: `connect to ${path}`, command: connectTo(path) })),
  { name: "connect by a link", command: `ln -sf ${ELSEWHERE}/agent.sock s; ${connectTo("s")}` },
  { name: "connect by /proc/self/root", command: connectTo(`/proc/self/root${ELSEWHERE}/agent.sock`) },
  { name: "run a command in tmux", command: `tmux -S ${TMUX} run-shell 'touch ${ELSEWHERE}/new'` },
  {
    name: "a socket that is created later",
    command: `sleep 2; ${connectTo(`${ELSEWHERE}/late.sock`)}`,
    modes: ["plan"],
    late: { kind: "socket", path: `${ELSEWHERE}/late.sock` },
  },
  {
    name: "a later socket in /run",
    command: `sleep 2; ${connectTo("/run/late.sock")}`,
    late: { kind: "socket", path: "/run/late.sock" },
  },
  {
    name: "a later socket in /tmp",
    command: `sleep 2; ${connectTo("/tmp/late.sock")}`,
    late: { kind: "socket", path: "/tmp/late.sock" },
  },
  {
    name: "variables that name sockets",
    command: 'test -z "$SSH_AUTH_SOCK$TMUX$DISPLAY$DBUS_SESSION_BUS_ADDRESS$XDG_RUNTIME_DIR" || echo CANARY-5b1f0c',
  },
  {
    name: "open sockets by io_uring",
    command: "perl -e 'exit(syscall(425, 1, \"x\" x 120) < 0 ? 1 : 0)'",
    mustFail: true,
  },
]);

const abstractSockets = probesOf(
  "abstract socket",
  ABSTRACT_SOCKETS.map((path) => ({
    name: `connect to @${path.slice(1)}`,
    command: connectTo(path),
    modes: ALL_MODES,
  })),
);

const fifos = probesOf("FIFO", [
  ...FIFOS.map((path) => ({
    name: `write to ${path}`,
    command: `timeout 2 bash -c 'echo x > ${path}'`,
    modes: ALL_MODES,
  })),
  {
    name: "change the mode of an agent",
    command: `timeout 2 bash -c 'echo "{\\"type\\":\\"set_mode\\",\\"mode\\":\\"full-auto\\"}" > ${GANTRY}/spool/one/in'`,
  },
  { name: "write by /proc/self/root", command: `timeout 2 bash -c 'echo x > /proc/self/root${ELSEWHERE}/pipe'` },
  { name: "write without blocking", command: `perl -e 'sysopen(F, "${ELSEWHERE}/pipe", 2049) and syswrite(F, "x")'` },
  {
    name: "open for reading and writing",
    command: `perl -e 'sysopen(F, "${ELSEWHERE}/pipe", 2050) and syswrite(F, "x")'`,
  },
  { name: "write by a link", command: `ln -sf ${ELSEWHERE}/pipe p; timeout 2 bash -c 'echo x > p'` },
  {
    name: "a pipe that is created later",
    command: `sleep 2; timeout 2 bash -c 'echo x > ${ELSEWHERE}/late-pipe'`,
    late: { kind: "fifo", path: `${ELSEWHERE}/late-pipe` },
  },
]);

const network = probesOf("network", [
  { name: "TCP by bash", command: `timeout 3 bash -c 'echo x > /dev/tcp/127.0.0.1/${PORT}'`, modes: WITHOUT_NETWORK },
  {
    name: "TCP by node",
    command: `node -e 'require("net").connect(${PORT},"127.0.0.1").on("error",()=>process.exit(7)).on("connect",()=>process.exit(0))'`,
    modes: WITHOUT_NETWORK,
  },
  {
    name: "TCP over IPv6",
    command: `node -e 'require("net").connect(${PORT},"::1").on("error",()=>process.exit(7)).on("connect",()=>process.exit(0))'`,
    modes: WITHOUT_NETWORK,
  },
  {
    name: "UDP",
    command: `perl -MSocket -e 'socket(S,AF_INET,SOCK_DGRAM,0); exit(send(S,"x",0,pack_sockaddr_in(${PORT},inet_aton("127.0.0.1"))) ? 0 : 1)'`,
    modes: WITHOUT_NETWORK,
  },
  {
    name: "fetch in a kernel",
    command: `await fetch("http://127.0.0.1:${PORT}")`,
    language: "js",
    modes: WITHOUT_NETWORK,
  },
  { name: "join the machine's network", command: "nsenter -t 1 -n true || ip netns exec x true", mustFail: true },
  { name: "virtual machine's host (vsock)", command: "perl -e 'exit(socket(S, 40, 1, 0) ? 0 : 1)'", mustFail: true },
  { name: "raw packets", command: "perl -e 'exit(socket(S, 17, 3, 3) ? 0 : 1)'", mustFail: true },
  { name: "raw IP", command: "perl -e 'exit(socket(S, 2, 3, 1) ? 0 : 1)'", mustFail: true },
  { name: "kernel cryptography sockets", command: "perl -e 'exit(socket(S, 38, 5, 0) ? 0 : 1)'", mustFail: true },
  { name: "bluetooth", command: "perl -e 'exit(socket(S, 31, 3, 1) ? 0 : 1)'", mustFail: true },
]);

export const CHANNEL_PROBES: readonly Probe[] = [...sockets, ...abstractSockets, ...fifos, ...network];
