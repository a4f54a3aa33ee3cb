import { afterEach, expect, it, vi } from "vitest";
import { ContentCache } from "./content";

const path = "/api/blog";

/** Answers each call with the next of these, a number being the status of a failure. */
function server(...answers: readonly (number | object)[]) {
  const fetched = vi.fn<typeof fetch>();
  for (const answer of answers) {
    fetched.mockResolvedValueOnce(
      typeof answer === "number" ? new Response("", { status: answer }) : Response.json(answer),
    );
  }
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

afterEach(() => vi.unstubAllGlobals());

it("asks once, and tells whoever listens", async () => {
  const fetched = server(["post"]);
  const cache = new ContentCache();
  const heard: string[] = [];
  cache.subscribe(() => heard.push(cache.outcome(path).status));
  await Promise.all([cache.load(path), cache.load(path)]);
  await cache.load(path);
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(heard).toEqual(["pending", "answered"]);
  expect(cache.outcome(path).data).toEqual(["post"]);
});

it("does not ask for what came with the page", async () => {
  const fetched = server();
  const cache = new ContentCache({ [path]: ["rendered"] });
  await cache.load(path);
  expect(fetched).not.toHaveBeenCalled();
  expect(cache.outcome(path)).toEqual({ status: "answered", data: ["rendered"] });
});

it.each([
  [503, "failed"],
  [404, "missing"],
])("asks anew after a failure: %d", async (status, outcome) => {
  server(status, ["post"]);
  const cache = new ContentCache();
  await cache.load(path);
  expect(cache.outcome(path).status).toBe(outcome);
  cache.forgetFailure(path);
  expect(cache.outcome(path).status).toBe("pending");
  await cache.load(path);
  expect(cache.outcome(path).data).toEqual(["post"]);
});
