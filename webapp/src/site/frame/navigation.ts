/** Whether a path is the target itself, in the words of `aria-current`. */
export function isCurrent(path: string, target: string): "page" | undefined {
  return path === target ? "page" : undefined;
}

/** Whether a path is the target or one of the pages below it. */
export function isWithin(path: string, target: string): boolean {
  return path === target || (target !== "/" && path.startsWith(`${target}/`));
}
