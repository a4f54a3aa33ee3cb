import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { api } from "./client";
import { ApiError } from "./errors";
import { isTemporary, notBefore, recover } from "./recovery";

vi.mock("./client", () => ({ api: { GET: vi.fn() } }));

const away = (status: number, retryAfter?: number) =>
  new ApiError(`${status}: away`, status, "", retryAfter);

/** What the server says about itself, and what it answers to a question. */
let health: () => Promise<unknown>;
let answer: () => Promise<string>;
let asked: number;
let stop: () => void;
let client: QueryClient;
let page: EventTarget & { hidden: boolean };

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", new EventTarget());
  vi.mocked(api.GET).mockReset();
  vi.mocked(api.GET).mockImplementation((() => health()) as never);
  health = async () => ({ data: { clickhouse: "ok" } });
  asked = 0;
  client = new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: "always" } },
  });
  stop = recover(client);
});

afterEach(() => {
  stop();
  client.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Shows the answer to a question on the page. */
async function show() {
  const queryFn = () => {
    asked += 1;
    return answer();
  };
  const leave = new QueryObserver(client, { queryKey: ["q"], queryFn }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  return leave;
}

const fails = (error: Error) => () => Promise.reject(error);

it.each([
  [new TypeError("Failed to fetch"), true],
  [away(503), true],
  [away(502), true],
  [away(504), true],
  [away(429), true],
  [away(400), false],
  [away(401), false],
  [away(500), false],
])("%s ends by itself: %s", (error, temporary) => {
  expect(isTemporary(error)).toBe(temporary);
});

it("knows until when the server wants to be left alone", () => {
  expect(notBefore([])).toBe(0);
  const failures = [
    { error: away(503, 5000), at: 1000 },
    { error: away(503, 1000), at: 4000 },
    { error: new TypeError(), at: 9000 },
  ];
  expect(notBefore(failures)).toBe(6000);
});

it("asks the server whether it is well, and then once for what failed", async () => {
  answer = fails(away(503));
  health = fails(away(503));
  await show();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(1);
  answer = async () => "right";
  health = async () => ({ data: { clickhouse: "ok" } });
  await vi.advanceTimersByTimeAsync(11_000);
  expect(client.getQueryData(["q"])).toBe("right");
  expect(asked).toBe(2);
  const looks = vi.mocked(api.GET).mock.calls.length;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(vi.mocked(api.GET).mock.calls.length).toBe(looks);
});

it("waits ever longer while the server says that it is well, and is not", async () => {
  answer = fails(away(503));
  await show();
  await vi.advanceTimersByTimeAsync(2000);
  expect(asked).toBe(2);
  await vi.advanceTimersByTimeAsync(3900);
  expect(asked).toBe(2);
  await vi.advanceTimersByTimeAsync(100);
  expect(asked).toBe(3);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(asked).toBeLessThanOrEqual(14);
});

it("asks nothing before the server allows it", async () => {
  answer = fails(away(503, 30_000));
  await show();
  await vi.advanceTimersByTimeAsync(29_900);
  expect(api.GET).not.toHaveBeenCalled();
  health = fails(away(503, 20_000));
  await vi.advanceTimersByTimeAsync(200);
  expect(api.GET).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(19_700);
  expect(api.GET).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(400);
  expect(api.GET).toHaveBeenCalledTimes(2);
});

it.each([
  ["its tables are away", away(503), async () => ({ data: { clickhouse: "unavailable" } })],
  ["the mistake is in the question", away(400), async () => ({ data: { clickhouse: "ok" } })],
])("does not ask again where %s", async (_, error, said) => {
  answer = fails(error);
  health = said;
  await show();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toBe(1);
});

it("leaves alone what nobody looks at", async () => {
  answer = fails(away(503));
  const leave = await show();
  page.hidden = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(api.GET).not.toHaveBeenCalled();
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toBeGreaterThan(1);
  leave();
  const before = asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(before);
});

it("asks at once when the network is back", async () => {
  answer = fails(new TypeError("Failed to fetch"));
  health = fails(new TypeError("Failed to fetch"));
  await show();
  answer = async () => "right";
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(client.getQueryData(["q"])).toBe("right");
});
