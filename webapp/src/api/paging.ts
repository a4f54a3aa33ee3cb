/** The cursor of the page after this one, read from a `Link` header; undefined on the last page. */
export function nextCursor(link: string | null): string | undefined {
  for (const entry of link?.split(/,\s*(?=<)/) ?? []) {
    const match = /^<([^>]*)>.*;\s*rel="?next"?/.exec(entry);
    if (match?.[1]) {
      return new URL(match[1], "http://localhost").searchParams.get("cursor") ?? undefined;
    }
  }
  return undefined;
}
