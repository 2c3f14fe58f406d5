// Runs before all other scripts in every document of a preview. It exchanges messages only with Gantry's page, and does
// nothing in a separate tab or in a nested frame.
import { openChannel, type ToInspector } from "./channel.ts";
import { currentPath, describeElement } from "./describe.ts";
import { Picker } from "./picker.ts";
import { takeScreenshot } from "./take-screenshot.ts";
import { watchFailures, watchVisits } from "./watch.ts";

const script = document.currentScript;
const address = script instanceof HTMLScriptElement ? script.src : "";
const pages = (script?.dataset.pages ?? "").split(" ").filter(Boolean);
script?.remove();
if (window.parent !== window && pages.length > 0) start();

function start(): void {
  const scripts = new URL(".", address).href;
  const channel = openChannel(pages, act);
  const picker = new Picker({
    onPick: (element) => channel.send({ type: "picked", element: describeElement(element) }),
    onLeave: () => channel.send({ type: "left" }),
  });
  watchFailures((text) => channel.send({ type: "failed", text }));
  const sendVisit = () => channel.send({ type: "visited", path: currentPath(), title: document.title.slice(0, 500) });
  watchVisits(sendVisit);

  function act(message: ToInspector): void {
    if (message.type === "hello") sendVisit();
    if (message.type === "pick") {
      if (message.on) picker.start();
      else picker.stop();
    }
    if (message.type === "go") history.go(message.by);
    if (message.type === "reload") location.reload();
    if (message.type === "shoot") void sendScreenshot(message.id, message.selector);
  }

  async function sendScreenshot(id: number, selector: string | undefined): Promise<void> {
    try {
      channel.send({ type: "shot", id, image: await takeScreenshot(scripts, selector) });
    } catch (error) {
      channel.send({
        type: "shot",
        id,
        error: error instanceof Error ? error.message.slice(0, 500) : "The screenshot failed.",
      });
    }
  }
}
