export default function Models() {
  return <section aria-label="Models" className="grow overflow-auto p-4" />;
}
