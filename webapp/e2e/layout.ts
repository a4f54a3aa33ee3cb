/** What WCAG 2.2 asks of the layout: 1.4.4, 1.4.10 (reflow), 1.4.12 (text spacing), 2.4.11 (focus). */
import type { Page } from "@playwright/test";
import { expect } from "./test";

/** Windows in which every page is looked at, one of each width. */
const widths = [
  { width: 320, height: 640 },
  { width: 740, height: 360 },
  { width: 1280, height: 900 },
] as const;

/** The narrowest as one of 1280 by 1024 at 400 %: in so low a window more lies under what stands still. */
const low = { width: 320, height: 256 } as const;

const spacing = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

/** What moves or is drawn anew in another window comes to rest first. */
const soft = expect.configure({ soft: true, timeout: 10_000 });

/** Asserts that a page reads well in every window, as it comes and with wide text spacing. */
export async function expectReadable(page: Page): Promise<void> {
  await expectNoFaults(page, [...widths, low], "");
  const style = await page.addStyleTag({ content: spacing });
  await expectNoFaults(page, widths, ", wide spacing");
  await style.evaluate((element) => (element as Element).remove());
}

async function expectNoFaults(
  page: Page,
  windows: readonly { width: number; height: number }[],
  state: string,
): Promise<void> {
  for (const size of windows) {
    await page.setViewportSize(size);
    await settle(page);
    await soft.poll(() => faults(page), `${size.width}×${size.height}${state}`).toEqual([]);
  }
}

/** Asserts that whatever takes the focus can be seen, in every window. */
export async function expectFocusInSight(page: Page): Promise<void> {
  for (const size of [low, ...widths.slice(1)]) {
    await page.setViewportSize(size);
    await settle(page);
    // From here on the focus is shown: it came by key.
    await page.keyboard.press("Tab");
    expect.soft(await page.evaluate(hiddenFocus), `${size.width}×${size.height}`).toEqual([]);
  }
  // As it opened: a link that lies half under the fixed header is no small target.
  await page.evaluate(() => window.scrollTo(0, 0));
}

/** Lets the page answer to its new size. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** What is wrong with the layout of a page as it stands. */
export const faults = (page: Page) => page.evaluate(layoutFaults);

/** Runs in the page: what sticks out sideways, what text is cut off, what text lies on another. */
function layoutFaults(): string[] {
  const tolerance = 1.5;
  const { clientWidth, scrollWidth } = document.documentElement;
  const found = new Set<string>();
  if (scrollWidth > clientWidth) found.add(`scrolls sideways: ${scrollWidth} of ${clientWidth}`);

  interface Piece {
    readonly text: string;
    readonly layer: Element;
    readonly element: Element;
    readonly rect: DOMRect;
  }
  const box = (left: number, top: number, right: number, bottom: number) =>
    new DOMRect(left, top, right - left, bottom - top);
  const meet = (a: DOMRect, b: DOMRect) =>
    box(
      Math.max(a.left, b.left),
      Math.max(a.top, b.top),
      Math.min(a.right, b.right),
      Math.min(a.bottom, b.bottom),
    );
  /** Each element is asked once: texts share most of what lies around them. */
  const once = <T>(ask: (element: Element) => T) => {
    const known = new Map<Element, T>();
    return (element: Element): T => {
      if (!known.has(element)) known.set(element, ask(element));
      return known.get(element) as T;
    };
  };
  const boxOf = once((element) => element.getBoundingClientRect());
  const styleOf = once((element) => {
    const { position, boxShadow, overflow, overflowX, overflowY, webkitLineClamp } =
      getComputedStyle(element);
    return { position, boxShadow, overflow, overflowX, overflowY, webkitLineClamp };
  });
  /** What lies above the rest of the page on purpose: its texts are compared with its own only. */
  const layerOf = once((element): Element => {
    if (element.matches("dialog, [role=dialog], [role=menu], [popover]")) return element;
    const { position, boxShadow } = styleOf(element);
    if (/^(fixed|sticky)$/.test(position)) return element;
    if (position === "absolute" && boxShadow !== "none") return element;
    return element.parentElement ? layerOf(element.parentElement) : document.body;
  });
  /** Text for screen readers alone. */
  const unseen = once((element): boolean => {
    if (element === document.body) return false;
    const { width, height } = boxOf(element);
    if (width <= 1 && height <= 1 && styleOf(element).overflow === "hidden") return true;
    return element.parentElement !== null && unseen(element.parentElement);
  });
  /** What cuts off what sticks out of it, from the inside to the outside. */
  const cuttersOf = once((element): readonly Element[] => {
    if (element === document.documentElement || element === document.body) return [];
    const { overflowX, overflowY, position } = styleOf(element);
    const own = overflowX === "visible" && overflowY === "visible" ? [] : [element];
    if (position === "fixed" || !element.parentElement) return own;
    return [...own, ...cuttersOf(element.parentElement)];
  });

  const pieces: Piece[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim() ?? "";
    if (
      !element ||
      text === "" ||
      unseen(element) ||
      element.closest("svg, script, option, noscript")
    )
      continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      const words = text.slice(0, 40);
      let shown: DOMRect | undefined = rect;
      for (const cutter of cuttersOf(element)) {
        const style = styleOf(cutter);
        const outer = boxOf(cutter);
        const scrolls = {
          x: /auto|scroll/.test(style.overflowX),
          y: /auto|scroll/.test(style.overflowY),
        };
        const cutX = rect.right > outer.right + tolerance || rect.left < outer.left - tolerance;
        // The line's box is taller than its letters.
        const slack = tolerance + rect.height * 0.2;
        const cutY = rect.bottom > outer.bottom + slack || rect.top < outer.top - slack;
        if ((cutX && !scrolls.x) || (cutY && !scrolls.y)) {
          // An excerpt on purpose, which can be had in full.
          const excerpt = style.webkitLineClamp !== "none" || cutter.closest("[title]") !== null;
          if (!excerpt) found.add(`cut off: ${words}`);
        }
        shown = meet(shown, outer);
        if (shown.width <= 0 || shown.height <= 0) {
          shown = undefined;
          break;
        }
      }
      if (!shown) continue;
      if (shown.left < -tolerance || shown.right > clientWidth + tolerance)
        found.add(`out of the window: ${words}`);
      pieces.push({ text: words, layer: layerOf(element), element, rect: shown });
    }
  }

  pieces.sort((a, b) => a.rect.top - b.rect.top);
  for (const [index, one] of pieces.entries()) {
    for (const other of pieces.slice(index + 1)) {
      if (other.rect.top >= one.rect.bottom) break;
      if (other.layer !== one.layer || other.element === one.element) continue;
      // Lines of one paragraph may touch: what counts is the height of the letters.
      const shared = meet(one.rect, other.rect);
      const least = Math.min(one.rect.height, other.rect.height) * 0.35;
      if (shared.width > 2 && shared.height > least)
        found.add(`on each other: ${one.text} | ${other.text}`);
    }
  }
  return [...found];
}

/** Runs in the page: what takes the focus and is covered by something else altogether. */
async function hiddenFocus(): Promise<string[]> {
  const selector =
    "a[href], button:not(:disabled), input, select, textarea, summary, [tabindex='0']";
  /** What passes by itself and can be sent away hides nothing for long. */
  const passing = (element: Element) => element.closest("[role=status], [aria-live]") !== null;
  const isSeen = (element: Element) =>
    [...element.getClientRects()]
      .flatMap(({ left, top, width, height }) =>
        [0.1, 0.5, 0.9].flatMap((x) =>
          [0.1, 0.5, 0.9].map((y) => [left + width * x, top + height * y] as const),
        ),
      )
      .some(([x, y]) =>
        document
          .elementsFromPoint(x, y)
          .filter((hit) => element.contains(hit) || !passing(hit))
          .slice(0, 1)
          .some(
            (hit) =>
              element.contains(hit) ||
              hit.contains(element) ||
              hit.querySelector("input") === element,
          ),
      );
  const found: string[] = [];
  const modal = document.querySelector("dialog:modal");
  for (const element of (modal ?? document).querySelectorAll<HTMLElement>(selector)) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest("[inert]"))
      continue;
    element.focus();
    if (document.activeElement !== element || isSeen(element)) continue;
    // What moves when it takes the focus, or makes room for it, does so first: some frames later where
    // the page draws itself anew.
    for (let frames = 0; frames < 30 && !isSeen(element); frames++) {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    }
    if (!isSeen(element)) found.push(element.outerHTML.slice(0, 120));
  }
  return found;
}
