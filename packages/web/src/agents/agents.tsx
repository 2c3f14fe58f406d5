export default function Agents() {
  return <section aria-label="Agents" className="grow overflow-auto p-4" />;
}
