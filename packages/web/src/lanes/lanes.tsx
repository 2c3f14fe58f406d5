export default function Lanes() {
  return <section aria-label="Lanes" className="grow overflow-auto p-4" />;
}
