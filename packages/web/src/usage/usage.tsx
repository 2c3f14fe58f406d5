export default function Usage() {
  return <section aria-label="Usage" className="grow overflow-auto p-4" />;
}
