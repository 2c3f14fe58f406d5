/**
 * A filter of system calls (seccomp), as bubblewrap reads it. It closes what mounts and namespaces leave open: nested user
 * namespaces, keyrings, typing into a terminal, kernel interfaces that programs rarely need, and address families that no
 * network namespace separates, such as the connection between a virtual machine and its host.
 */
export type CallFilter = {
  /** Allows sockets with a file name. Without it no socket can be reached that another program creates later. */
  unixSockets: boolean;
};

type Architecture = { audit: number; calls: Record<Call, number>; denied: readonly number[] };
type Call = "socket" | "socketpair" | "ioctl" | "clone" | "clone3" | "unshare";

/** io_uring could open sockets past the filter. The others in this range mount file systems. */
const SHARED_NUMBERS = [425, 426, 427, 428, 429, 430, 431, 432, 433, 442];

/**
 * In order: mount, umount2, pivot_root, chroot, add_key, request_key, keyctl, setns, perf_event_open, open_by_handle_at,
 * init_module, finit_module, delete_module, bpf, userfaultfd, kexec_load, kexec_file_load, reboot, swapon, swapoff, acct,
 * quotactl, syslog, settimeofday, clock_settime.
 */
const ARCHITECTURES: Partial<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    calls: { socket: 41, socketpair: 53, ioctl: 16, clone: 56, clone3: 435, unshare: 272 },
    denied: [
      ...[165, 166, 155, 161, 248, 249, 250, 308, 298, 304, 175, 313, 176],
      ...[321, 323, 246, 320, 169, 167, 168, 163, 179, 103, 164, 227],
      ...SHARED_NUMBERS,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    calls: { socket: 198, socketpair: 199, ioctl: 29, clone: 220, clone3: 435, unshare: 97 },
    denied: [
      ...[40, 39, 41, 51, 217, 218, 219, 268, 241, 265, 105, 273, 106],
      ...[280, 282, 104, 294, 142, 224, 225, 89, 60, 116, 170, 112],
      ...SHARED_NUMBERS,
    ],
  },
};

const EPERM = 1;
const ENOSYS = 38;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const fail = (errno: number) => 0x00050000 | errno;

const AF_UNIX = 1;
/** IPv4, IPv6 and netlink, which lists network interfaces. */
const FAMILIES = [2, 10, 16];
const CLONE_NEWUSER = 0x10000000;
/** TIOCSTI puts characters into a terminal's input, TIOCLINUX pastes a selection into it. */
const TYPING = [0x5412, 0x541c];
/** System calls of the x32 interface have this bit, and other numbers. */
const X32 = 0x40000000;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];
const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const give = (value: number): Instruction => [0x06, 0, 0, value];
const argument = (at: number) => load(16 + 8 * at);
const when = (code: number, value: number, then: readonly Instruction[]): Instruction[] => [
  [code, 0, then.length, value],
  ...then,
];
const whenEqual = (value: number, then: readonly Instruction[]) => when(0x15, value, then);
const whenAtLeast = (value: number, then: readonly Instruction[]) => when(0x35, value, then);
const whenAnyBit = (value: number, then: readonly Instruction[]) => when(0x45, value, then);

/** The program for this machine; `undefined` for an architecture whose system calls are not listed. */
export function callFilter({ unixSockets }: CallFilter, arch: string = process.arch): Buffer | undefined {
  const machine = ARCHITECTURES[arch];
  if (!machine) return undefined;
  const { audit, calls, denied } = machine;
  const families = unixSockets ? [AF_UNIX, ...FAMILIES] : FAMILIES;
  const noUserNamespace = [argument(0), ...whenAnyBit(CLONE_NEWUSER, [give(fail(EPERM))]), give(ALLOW)];
  // A datagram socket of a pair can be connected to a socket with a file name later.
  const streamPairsOnly = [argument(1), ...whenAnyBit(0xa, [give(fail(EPERM))]), give(ALLOW)];
  return encode([
    load(4),
    // Programs for another architecture have other numbers, so none of them can run.
    ...[[0x15, 1, 0, audit] as const, give(KILL)],
    load(0),
    ...(arch === "x64" ? whenAtLeast(X32, [give(KILL)]) : []),
    ...denied.flatMap((number) => whenEqual(number, [give(fail(EPERM))])),
    // Its flags lie in memory, out of the filter's reach. The C library then uses `clone`.
    ...whenEqual(calls.clone3, [give(fail(ENOSYS))]),
    ...whenEqual(calls.clone, noUserNamespace),
    ...whenEqual(calls.unshare, noUserNamespace),
    ...whenEqual(calls.socket, [
      argument(0),
      ...families.flatMap((family) => whenEqual(family, [give(ALLOW)])),
      give(fail(EPERM)),
    ]),
    ...(unixSockets ? [] : whenEqual(calls.socketpair, streamPairsOnly)),
    ...whenEqual(calls.ioctl, [
      argument(1),
      ...TYPING.flatMap((request) => whenEqual(request, [give(fail(EPERM))])),
      give(ALLOW),
    ]),
    give(ALLOW),
  ]);
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return bytes;
}
