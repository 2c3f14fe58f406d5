/** All sessions, by what they need. */
export default function Board() {
  return <section aria-label="Board" className="grow overflow-auto p-4" />;
}
