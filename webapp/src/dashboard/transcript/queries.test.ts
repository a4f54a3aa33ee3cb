import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { renewQueries } from "../shared/state/freshness";
import { messagesOf } from "./queries";

it("does not read a transcript again for the sake of news: that is audited", () => {
  const fetched = vi.fn(fetch).mockResolvedValue(Response.json([]));
  vi.stubGlobal("fetch", fetched);
  const queries = new QueryClient();
  queries.setQueryData(messagesOf("c1").queryKey, []);
  const options = { ...messagesOf("c1"), staleTime: Number.POSITIVE_INFINITY };
  new QueryObserver(queries, options).subscribe(() => {});
  renewQueries(queries, false);
  expect(queries.getQueryState(messagesOf("c1").queryKey)?.isInvalidated).toBe(false);
  expect(fetched).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});
