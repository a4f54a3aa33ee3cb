import { type HeadElement, headElements, headOf } from "./head";

/** What distinguishes an element from the others of its kind. */
const keys = ["name", "property", "rel"] as const;

function selectorOf({ tag, attributes }: HeadElement): string {
  const key = keys.find((name) => name in attributes);
  return key ? `${tag}[${key}="${attributes[key]}"]` : tag;
}

/** What a page may say and another may not. */
const optional = ['meta[name="robots"]', 'link[rel="canonical"]'];

/** Makes the document's head say what the page at a path says about itself. */
export function writeHead(path: string, answerOf: (call: string) => unknown): void {
  const elements = headElements(headOf(path, answerOf), window.location.origin);
  const said = new Set<string>();
  for (const wanted of elements) {
    const selector = selectorOf(wanted);
    said.add(selector);
    let element = document.head.querySelector(selector);
    if (!element) {
      element = document.createElement(wanted.tag);
      document.head.append(element);
    }
    for (const [name, value] of Object.entries(wanted.attributes)) {
      element.setAttribute(name, value);
    }
    if (wanted.text !== undefined) element.textContent = wanted.text;
  }
  for (const selector of optional) {
    if (!said.has(selector)) document.head.querySelector(selector)?.remove();
  }
}
