import { refuseBooking, watchBookingLinks } from "../ui/booking";
import "../ui/styles.css";

/** What a visitor does who does not wait for the page to be there. */
const interactions = ["pointerdown", "keydown", "focusin"] as const;

function once(event: string): Promise<unknown> {
  return new Promise((done) => window.addEventListener(event, done, { once: true }));
}

/** Waits until the page and its first picture are painted, and nothing covers them. */
async function painted(): Promise<void> {
  if (document.readyState !== "complete") await once("load");
  const skeleton = document.querySelector(".startup")?.getAnimations() ?? [];
  await Promise.allSettled(skeleton.map(({ finished }) => finished));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

async function start(complete: boolean): Promise<void> {
  // A complete page needs no script to be read, and the script would take the line from
  // its picture and its font. Another one is nothing without it.
  if (complete) await Promise.race([painted(), ...interactions.map(once)]);
  const load = () => import("./main");
  await load()
    .catch(load)
    .catch((fault) => {
      refuseBooking();
      throw fault;
    });
}

watchBookingLinks();
start(document.getElementById("root")?.firstElementChild != null);
