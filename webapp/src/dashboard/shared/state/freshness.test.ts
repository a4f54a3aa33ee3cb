import { QueryClient, type QueryMeta, QueryObserver } from "@tanstack/react-query";
import { beforeEach, describe, expect, it } from "vitest";
import { audited, dashboardKey } from "../queries";
import { isDeepInList, renewQueries } from "./freshness";

const list = (page: number) => [dashboardKey, "conversations", "recent", {}, page];
const kpis = [dashboardKey, "kpis", "recent", {}];
const transcript = [dashboardKey, "messages", "c1"];
const services = ["/api/services"];

let queries: QueryClient;
beforeEach(() => {
  queries = new QueryClient();
});

/** An answer that is there, and on screen. */
function show(queryKey: readonly unknown[], meta?: QueryMeta) {
  const answer = async () => "answer";
  const options = { queryKey, queryFn: answer, initialData: "answer", staleTime: Infinity };
  return new QueryObserver(queries, { ...options, ...(meta && { meta }) }).subscribe(() => {});
}

function isRenewed(queryKey: readonly unknown[]): boolean | undefined {
  return queries.getQueryState(queryKey)?.isInvalidated;
}

it("knows whether the reader is beyond the first page of the list", () => {
  show(list(0));
  expect(isDeepInList(queries)).toBe(false);
  const leave = show(list(2));
  expect(isDeepInList(queries)).toBe(true);
  leave();
  expect(isDeepInList(queries)).toBe(false);
});

describe("asks anew", () => {
  beforeEach(() => {
    for (const key of [list(0), list(1), kpis, services]) show(key);
    show(transcript, audited);
  });

  it("for all of the dashboard but what is audited", () => {
    renewQueries(queries, false);
    expect([list(0), list(1), kpis].map(isRenewed)).toEqual([true, true, true]);
    expect([transcript, services].map(isRenewed)).toEqual([false, false]);
  });

  it("later for what a new event hardly changes", () => {
    const topics = [dashboardKey, "topics", "recent", {}];
    show(topics);
    renewQueries(queries, false);
    expect([topics, kpis].map((queryKey) => queries.isFetching({ queryKey }))).toEqual([0, 1]);
    expect(isRenewed(topics)).toBe(true);
  });

  it("not for a list that is to stay", () => {
    renewQueries(queries, true);
    expect([list(0), list(1), kpis].map(isRenewed)).toEqual([false, false, true]);
  });

  it("for whatever failed", () => {
    const query = queries.getQueryCache().find({ queryKey: transcript });
    query?.setState({ status: "error" });
    renewQueries(queries, true);
    expect(isRenewed(transcript)).toBe(true);
  });
});
