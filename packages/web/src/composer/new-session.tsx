export default function NewSession() {
  return <section aria-label="New session" className="grow overflow-auto p-4" />;
}
