import { useQuery } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "../../api/client";

export type Post = Schemas["Post"];

/** All posts, newest first; the server may have rendered the page with them. */
export function usePosts() {
  return useQuery({
    queryKey: ["/api/blog"],
    queryFn: async ({ signal }) => dataOf(await api.GET("/api/blog", { signal })),
  });
}

/** One post. */
export function usePost(slug: string) {
  return useQuery({
    queryKey: [`/api/blog/slug/${slug}`],
    queryFn: async ({ signal }) =>
      dataOf(await api.GET("/api/blog/slug/{slug}", { params: { path: { slug } }, signal })),
  });
}
