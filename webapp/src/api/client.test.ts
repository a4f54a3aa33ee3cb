import { expect, it } from "vitest";
import { rejectFailures } from "./client";
import { ApiError, isUnauthorized } from "./errors";
import { nextCursor } from "./paging";

async function failureOf(response: Response, ...wording: Parameters<typeof rejectFailures>) {
  const { onResponse } = rejectFailures(...wording);
  try {
    await onResponse?.({ response } as Parameters<NonNullable<typeof onResponse>>[0]);
  } catch (error) {
    return error;
  }
  return undefined;
}

it("lets successes pass", async () => {
  expect(await failureOf(new Response("{}"))).toBeUndefined();
});

it("words a failure as status and body", async () => {
  const error = await failureOf(new Response("no hay base", { status: 503 }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ message: "503: no hay base", status: 503, body: "no hay base" });
});

it("takes the status text when the body is empty", async () => {
  const error = await failureOf(new Response("", { status: 502, statusText: "Bad Gateway" }));
  expect(error).toMatchObject({ message: "502: Bad Gateway", body: "" });
});

it("takes other words where a call has its own", async () => {
  const error = await failureOf(new Response("x", { status: 500 }), () => "Failed");
  expect(error).toMatchObject({ message: "Failed", status: 500, body: "x" });
});

it("knows who is not signed in", () => {
  expect(isUnauthorized(new ApiError("401: no", 401, "no"))).toBe(true);
  expect(isUnauthorized(new ApiError("403: no", 403, "no"))).toBe(false);
  expect(isUnauthorized(new TypeError("fetch failed"))).toBe(false);
});

it.each([
  [null, undefined],
  ["", undefined],
  ['</api/dashboard/conversations?limit=50&cursor=a%2Bb>; rel="next"', "a+b"],
  ['<https://x.example/?cursor=z>; rel="prev", </c?cursor=y,1&limit=2>; rel="next"', "y,1"],
  ['</c?cursor=z>; rel="prev"', undefined],
])("reads the next page from %s", (link, cursor) => {
  expect(nextCursor(link)).toBe(cursor);
});
