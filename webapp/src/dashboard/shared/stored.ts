/** Small choices that this browser remembers; one that keeps nothing forgets them with the page. */

export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // There is nothing to be done about it.
  }
}
