import type { PushState } from "@gantry/protocol";
import { useState } from "react";
import { installOffer, installPage, isInstalled } from "../../shell/install.ts";
import { canSubscribe, ownSubscription, subscribeBrowser } from "../../shell/notifications/push.ts";
import { useCell } from "../../store/cell.ts";
import { client } from "../../store/connection/client.ts";
import { toast, toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { LoadError } from "../../ui/display/load-error.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { SettingRow } from "../setting-row.tsx";
import { Browsers } from "./browsers.tsx";

/** Installation of the page, push notifications, and the browsers that get them. */
export function PhoneSettings() {
  const { value, error, reload } = useQuery("push", client.push.get);
  if (error) return <LoadError error={error} onRetry={reload} />;
  return (
    <>
      <SettingRow name="Install Gantry" about={<InstallText />}>
        <InstallButton />
      </SettingRow>
      {value && <PushSwitch state={value} onChange={reload} />}
      {value?.enabled && <ThisBrowser state={value} onChange={reload} />}
      {value && <Browsers rows={value.subscriptions} onChange={reload} />}
    </>
  );
}

function InstallText() {
  if (isInstalled()) return "This page runs as an app.";
  return "As an app the page has its own window and icon. On an iPhone: Share, then Add to Home Screen. Notifications need that there.";
}

function InstallButton() {
  return useCell(installOffer) ? <Button onClick={installPage}>Install</Button> : null;
}

type PushProps = { state: PushState; onChange: () => void };

function PushSwitch({ state: { enabled, contact }, onChange }: PushProps) {
  const change = () => client.push.switch(!enabled).then(onChange, toastError);
  const about = (
    <>
      Requests and failed turns reach subscribed browsers while the page is closed. Each message goes to the push
      service of the browser's vendor, whose host is listed below. The service receives the encrypted message, its size
      and time, and the contact {contact.replace(/^mailto:/, "")}. It cannot read the message. Keys and passwords are
      left out. While this is off, the daemon contacts no push service.
    </>
  );
  return (
    <SettingRow name="Push notifications" about={about}>
      <Button look={enabled ? "plain" : "primary"} onClick={() => void change()}>
        {enabled ? "Turn off" : "Turn on"}
      </Button>
    </SettingRow>
  );
}

function ThisBrowser({ state, onChange }: PushProps) {
  const own = useCell(ownSubscription);
  const [busy, setBusy] = useState(false);
  const isSubscribed = state.subscriptions.some(({ id }) => id === own);
  const subscribe = async () => {
    setBusy(true);
    await subscribeBrowser(state).then(
      () => toast({ tone: "info", text: "This browser gets push notifications." }),
      toastError,
    );
    setBusy(false);
    onChange();
  };
  if (isSubscribed) return null;
  return (
    <SettingRow name="This browser" about={canSubscribe() ? "Not subscribed." : unsupportedText()}>
      {canSubscribe() && (
        <Button look="primary" disabled={busy} onClick={() => void subscribe()}>
          Subscribe
        </Button>
      )}
    </SettingRow>
  );
}

function unsupportedText(): string {
  return isSecureContext
    ? "This browser has no push messages. On an iPhone, install the page first."
    : "Push messages need https. Open the page over https, for example through a tunnel.";
}
