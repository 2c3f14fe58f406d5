import { useSessionFile } from "../../store/sessions/session-file.ts";

type SessionImageProps = { session: string; path: string; alt: string; className: string };

/** An image from a session's folder. */
export function SessionImage({ session, path, alt, className }: SessionImageProps) {
  return <img src={useSessionFile(session, path)} alt={alt} className={className} />;
}
