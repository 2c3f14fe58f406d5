export default function Settings() {
  return <section aria-label="Settings" className="grow overflow-auto p-4" />;
}
