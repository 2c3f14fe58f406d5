import { type FormEvent, useState } from "react";
import { client } from "../store/connection/client.ts";
import { storePageCredential } from "../store/connection/credential.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field, TextField } from "../ui/controls/field.tsx";
import { Empty } from "../ui/display/empty.tsx";

/** Shown when the page has no valid credential. An installed app has no address bar, so the address is pasted here. */
export function Locked() {
  const [text, setText] = useState("");
  const [failure, setFailure] = useState("");
  const logIn = async (event: FormEvent) => {
    event.preventDefault();
    try {
      storePageCredential(await client.redeem(ticketIn(text)));
      location.reload();
    } catch (error) {
      setFailure((error as Error).message);
    }
  };
  return (
    <main className="grid h-full place-items-center overflow-y-auto px-3">
      <Empty title="Log in to Gantry">
        <p>
          This page has no valid login. Run <code className="font-mono text-ink">gantry web</code> in a terminal on the
          machine of the daemon and open the printed address, or paste it here. Each address works once. Your sessions
          are not affected.
        </p>
        <form onSubmit={(event) => void logIn(event)} className="mt-4 flex flex-col gap-2 text-left">
          <Field name="Address or ticket">
            <TextField label="Address or ticket" value={text} onChange={setText} className="w-full" />
          </Field>
          {failure && (
            <p role="alert" className="text-bad">
              {failure}
            </p>
          )}
          <Button look="primary" type="submit" disabled={text.trim() === ""}>
            Log in
          </Button>
        </form>
      </Empty>
    </main>
  );
}

/** The ticket of an address such as `http://127.0.0.1:4260/#ticket=…`, or the text itself. */
function ticketIn(text: string): string {
  return /[#&]ticket=([^&\s]+)/.exec(text)?.[1] ?? text.trim();
}
