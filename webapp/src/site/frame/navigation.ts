import { classes } from "../../ui/classes";

/** Whether a path is the target itself, in the words of `aria-current`. */
export function isCurrent(path: string, target: string): "page" | undefined {
  return path === target ? "page" : undefined;
}

/** Whether a path is the target or one of the pages below it. */
export function isWithin(path: string, target: string): boolean {
  return path === target || (target !== "/" && path.startsWith(`${target}/`));
}

const item =
  "inline-flex min-h-11 items-center rounded-lg px-3 font-medium text-[0.9375rem] transition-colors hover:text-teal-700";

/** The look of a navigation's item. */
export function itemClasses(active: boolean): string {
  return classes(
    item,
    active
      ? "text-teal-700 underline decoration-2 decoration-clay-500 underline-offset-8"
      : "text-ink-700",
  );
}
