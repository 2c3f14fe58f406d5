export default function Inbox() {
  return <section aria-label="Inbox" className="grow overflow-auto p-4" />;
}
