import { CANARY, ELSEWHERE, GANTRY, HOME, type Probe, probesOf, systemCall } from "../probe.ts";

/** Writes a setting of the machine back unchanged: an escape must not change the machine that runs this suite. */
const writeBack = (paths: string) =>
  `for f in ${paths}; do v=$(cat $f 2>/dev/null) && echo "$v" > $f && exit 0; done; exit 1`;

const mounts = probesOf("mount", [
  { name: "remount the root writable", command: "mount -o remount,rw,bind / && touch /escaped", mustFail: true },
  { name: "remount elsewhere writable", command: `mount -o remount,rw,bind ${ELSEWHERE}; echo x > ${ELSEWHERE}/file` },
  { name: "uncover GANTRY_HOME", command: `umount -l ${GANTRY}; cat ${GANTRY}/token` },
  { name: "uncover the keys", command: `umount -l ${HOME}/.ssh; cat ${HOME}/.ssh/secret` },
  { name: "uncover /tmp and /run", command: "umount -l /tmp; umount -l /run; cat /tmp/outside-file /run/outside-file" },
  { name: "bind mount", command: `mkdir -p m; mount --bind ${ELSEWHERE} m`, mustFail: true },
  { name: "temporary file system", command: "mount -t tmpfs x /mnt", mustFail: true },
  { name: "process file system", command: "mount -t proc x /mnt", mustFail: true },
  {
    name: "overlay that shows covered files",
    command: `mkdir -p o; unshare -Urm sh -c 'mount -t overlay x -o lowerdir=${HOME}:/usr o; cat o/.ssh/secret o/.gantry/token'`,
  },
  { name: "user namespace", command: "unshare -Ur true", mustFail: true },
  {
    name: "user and mount namespace",
    command: "unshare -Urm sh -c 'mount -o remount,rw,bind / && touch /escaped'",
    mustFail: true,
  },
  { name: "nested bubblewrap", command: `bwrap --bind / / sh -c 'echo x > ${ELSEWHERE}/file'`, mustFail: true },
  { name: "user namespace by clone", command: systemCall(56, 0x10000011, 0, 0, 0, 0), mustFail: true },
  { name: "user namespace by unshare", command: systemCall(272, 0x10000000), mustFail: true },
  {
    name: "namespaces by clone3",
    command: systemCall(435, '"\\x00\\x00\\x00\\x10" . ("\\0" x 84)', 88),
    mustFail: true,
  },
  {
    name: "enter the namespaces of process 1",
    command: "nsenter -t 1 -m -u -i -p sh -c 'touch /escaped'",
    mustFail: true,
  },
  { name: "pivot_root", command: "mkdir -p r && pivot_root . r", mustFail: true },
  { name: "chroot", command: "chroot / true", mustFail: true },
  { name: "new mount interface", command: systemCall(430, '"tmpfs\\0"', 0), mustFail: true },
  { name: "open a file by its handle", command: systemCall(304, -100, '"x" x 64', 0), mustFail: true },
]);

const capabilities = probesOf("capability", [
  { name: "effective capabilities", command: `grep -q 'CapEff:\\s*0*$' /proc/self/status || echo ${CANARY}` },
  { name: "permitted capabilities", command: `grep -q 'CapPrm:\\s*0*$' /proc/self/status || echo ${CANARY}` },
  { name: "ambient capabilities", command: `grep -q 'CapAmb:\\s*0*$' /proc/self/status || echo ${CANARY}` },
  { name: "bounding set", command: `grep -q 'CapBnd:\\s*0*$' /proc/self/status || echo ${CANARY}` },
  { name: "new privileges by setuid", command: `grep -q 'NoNewPrivs:\\s*1' /proc/self/status || echo ${CANARY}` },
  { name: "seccomp filter is on", command: `grep -q 'Seccomp:\\s*2' /proc/self/status || echo ${CANARY}` },
  { name: "su", command: "echo | su -c 'cat /etc/shadow' root" },
  { name: "sudo", command: "sudo -n cat /etc/shadow" },
  { name: "device node", command: "mknod n b 254 0 && cat n", mustFail: true },
  { name: "change an owner", command: "touch f && chown 12345 f", mustFail: true },
  { name: "become another user", command: "setpriv --reuid 12345 true", mustFail: true },
  { name: "set the clock", command: 'date -s "@$(date +%s)"', mustFail: true },
  { name: "host name", command: "hostname escaped", mustFail: true },
  { name: "load a module", command: "insmod x || modprobe x", mustFail: true },
  { name: "kernel keyring", command: systemCall(250, 0, -3, 0), mustFail: true },
  { name: "add a key", command: systemCall(248, '"user\\0"', '"k\\0"', '"v"', 1, -3), mustFail: true },
  { name: "BPF", command: systemCall(321, 0, 0, 0), mustFail: true },
  { name: "performance events", command: systemCall(298, '"\\0" x 128', 0, -1, -1, 0), mustFail: true },
  { name: "userfaultfd", command: systemCall(323, 0), mustFail: true },
  { name: "kernel log", command: "dmesg", mustFail: true },
  { name: "reboot", command: systemCall(169, 0, 0, 0), mustFail: true },
]);

/** The world runs a process whose environment holds the canary, and whose id is in this file. */
export const VICTIM = `${ELSEWHERE}/victim`;

const proc = probesOf("/proc and /sys", [
  { name: "environment of all processes", command: "cat /proc/[0-9]*/environ | strings | grep CANARY" },
  { name: "environment of a process", command: `cat /proc/$(cat ${VICTIM})/environ` },
  { name: "memory of a process", command: `head -c 100 /proc/$(cat ${VICTIM})/mem`, mustFail: true },
  { name: "files of a process", command: `ls -l /proc/$(cat ${VICTIM})/fd`, mustFail: true },
  { name: "root of a process", command: `cat /proc/$(cat ${VICTIM})/root${GANTRY}/token` },
  { name: "kill a process", command: `kill -9 $(cat ${VICTIM})`, mustFail: true },
  { name: "kill everything", command: "kill -9 -1; true", alone: true },
  {
    name: "trace a process",
    command: `perl -e 'exit(syscall(101, 16, shift, 0, 0) < 0 ? 1 : 0)' $(cat ${VICTIM})`,
    mustFail: true,
  },
  { name: "core pattern", command: writeBack("/proc/sys/kernel/core_pattern"), mustFail: true },
  { name: "module loader", command: writeBack("/proc/sys/kernel/hotplug /proc/sys/kernel/modprobe"), mustFail: true },
  { name: "process ids", command: writeBack("/proc/sys/kernel/pid_max"), mustFail: true },
  { name: "address randomisation", command: writeBack("/proc/sys/kernel/randomize_va_space"), mustFail: true },
  {
    name: "binary formats",
    command: writeBack("/proc/sys/fs/suid_dumpable /proc/sys/fs/protected_symlinks"),
    mustFail: true,
  },
  { name: "user namespaces", command: writeBack("/proc/sys/user/max_user_namespaces"), mustFail: true },
  { name: "system request key", command: "echo h > /proc/sysrq-trigger", mustFail: true },
  { name: "kernel memory", command: "head -c 1 /proc/kcore", mustFail: true },
  { name: "identity map", command: "echo 0 0 1 > /proc/self/uid_map", mustFail: true },
  {
    name: "release agent of a control group",
    command: 'd=$(find /sys/fs/cgroup -name release_agent 2>/dev/null | head -1); test -n "$d" && echo /bin/true > $d',
    mustFail: true,
  },
  {
    name: "new control group",
    command: "mkdir /sys/fs/cgroup/escaped || mkdir /sys/fs/cgroup/*/escaped",
    mustFail: true,
  },
  { name: "event helper", command: "echo /bin/true > /sys/kernel/uevent_helper", mustFail: true },
  { name: "sleep state", command: "echo x > /sys/power/state", mustFail: true },
]);

const devices = probesOf("device", [
  { name: "disk", command: "head -c 1 /dev/vda || head -c 1 /dev/sda || head -c 1 /dev/nvme0n1", mustFail: true },
  { name: "memory", command: "head -c 1 /dev/mem", mustFail: true },
  { name: "kernel messages", command: "timeout 1 head -c 1 /dev/kmsg", mustFail: true },
  { name: "virtual machines", command: "test -e /dev/kvm", mustFail: true },
  { name: "user file systems", command: "test -e /dev/fuse", mustFail: true },
  { name: "loop devices", command: "test -e /dev/loop-control || test -e /dev/loop0", mustFail: true },
  { name: "input devices", command: "ls /dev/input/* /dev/uinput", mustFail: true },
  { name: "message queues", command: "test -e /dev/mqueue", mustFail: true },
  { name: "vsock", command: "test -e /dev/vsock", mustFail: true },
]);

const terminals = probesOf("terminal and inherited file", [
  {
    name: "type into the terminal",
    command: 'perl -e \'exit(ioctl(STDIN, 0x5412, "x") || ioctl(STDOUT, 0x5412, "x") ? 0 : 1)\'',
    mustFail: true,
  },
  {
    name: "type into a separate terminal",
    command: "perl -e 'exit(ioctl(STDIN, 0x5412, \"x\") ? 0 : 1)'",
    mustFail: true,
    pty: true,
  },
  { name: "type with high bits set", command: systemCall(16, 0, 0x100005412, '"x"'), mustFail: true, pty: true },
  {
    name: "paste into the console",
    command: "perl -e 'exit(ioctl(STDIN, 0x541c, \"x\") ? 0 : 1)'",
    mustFail: true,
    pty: true,
  },
  { name: "controlling terminal", command: "echo x > /dev/tty", mustFail: true },
  { name: "other terminals", command: "ls /dev/pts/[0-9]*", mustFail: true },
  { name: "system console", command: "test -c /dev/console && echo x > /dev/console", mustFail: true },
  { name: "inherited file 7", command: "cat <&7" },
  { name: "inherited file 40", command: "cat /proc/self/fd/40" },
  {
    name: "any inherited file",
    command: "for n in $(ls /proc/self/fd); do [ $n -gt 2 ] && cat <&$n; done 2>/dev/null; true",
  },
]);

export const KERNEL_PROBES: readonly Probe[] = [...mounts, ...capabilities, ...proc, ...devices, ...terminals];
