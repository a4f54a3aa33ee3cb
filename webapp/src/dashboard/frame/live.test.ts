import { expect, it } from "vitest";
import { positionOf } from "./live";

it.each([
  ['{"position":48211,"time":"2026-11-20T23:41:07.120Z"}', 48211],
  ['{"position":0}', 0],
  ['{"position":"1"}', undefined],
  ["null", undefined],
  ["{", undefined],
  [undefined, undefined],
])("reads %s as position %s", (data, position) => {
  expect(positionOf(data)).toBe(position);
});
