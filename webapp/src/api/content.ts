/**
 * The calls of the public site. A query's key is the call's path, under which the server
 * hands over the answers that it rendered a page with; what is there is not fetched again.
 */
import type { Schemas } from "./client";
import { ApiError } from "./errors";

/** What each call answers. */
interface Answers {
  "/api/services": Schemas["Service"][];
  "/api/services/featured": Schemas["Service"][];
  "/api/testimonials": Schemas["Testimonial"][];
  "/api/blog": Schemas["Post"][];
  [service: `/api/services/slug/${string}`]: Schemas["Service"];
  [post: `/api/blog/slug/${string}`]: Schemas["Post"];
}

/** A query of the site's content, for `useQuery`. */
export function contentQuery<Path extends keyof Answers>(path: Path) {
  return {
    queryKey: [path] as const,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Answers[Path]> => {
      const response = await fetch(path, { credentials: "include", signal });
      if (response.ok) return response.json();
      const body = await response.text();
      const { status, statusText } = response;
      throw new ApiError(`${status}: ${body || statusText}`, status, body);
    },
  };
}
