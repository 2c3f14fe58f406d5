export default function Search() {
  return <section aria-label="Search" className="grow overflow-auto p-4" />;
}
