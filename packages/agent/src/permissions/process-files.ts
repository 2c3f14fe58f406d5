/** The files of processes: their environment, memory and open files. `self` is the reading program. */
const PROCESS = /^\/proc\/[^/]+\/(environ|mem|fd|root|cwd|task|map_files|auxv)(\/|$)/;
const PLAIN_DEVICE = /^\/dev\/(null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd(\/\d+)?)$/;

/** Whether the path leads to data of a process or to a device, such as a disk. Reading it asks, like a credential. */
export function isProcessFile(path: string): boolean {
  return PROCESS.test(path) || (path.startsWith("/dev/") && !PLAIN_DEVICE.test(path));
}

export function isPlainDevice(path: string): boolean {
  return PLAIN_DEVICE.test(path);
}
