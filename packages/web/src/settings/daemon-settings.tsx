export function DaemonSettings() {
  return null;
}
