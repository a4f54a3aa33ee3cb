import "../ui/styles.css";

/** What a visitor does who does not wait for the page to be there. */
const acts = ["pointerdown", "keydown", "focusin"] as const;

/** Calls back once what is seen first is there, or the visitor begins before. */
function onceSeen(then: () => void): void {
  const controller = new AbortController();
  const once = () => {
    controller.abort();
    then();
  };
  const { signal } = controller;
  for (const act of acts) window.addEventListener(act, once, { signal });
  // After the frame in which the last of it is painted.
  const painted = () => requestAnimationFrame(() => setTimeout(() => signal.aborted || once()));
  if (document.readyState === "complete") painted();
  else window.addEventListener("load", painted, { signal });
}

const start = () => void import("./main");

// A page that came complete needs no script to be read, and the script would take the line
// from its picture and its font. One that did not come complete is nothing without it.
if (document.getElementById("root")?.firstElementChild) onceSeen(start);
else start();
