const longest = 25;

/** A title as a link's label has it: 25 characters, and dots where there were more. */
export function cutTitle(title: string): string {
  const characters = Array.from(title);
  return characters.length > longest ? `${characters.slice(0, longest).join("")}...` : title;
}
