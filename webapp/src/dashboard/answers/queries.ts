import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { ApiError } from "../../api/errors";
import { readEvents } from "../../api/events";
import { send } from "../../api/send";
import { dashboardKey } from "../shared/queries";
import { answersKey } from "../shared/taught";

export type AnswerDraft = Schemas["AnswerDraft"];
export type AnswerForm = Schemas["AnswerForm"];
export type TaughtAnswer = Schemas["TaughtAnswer"];

/** What an answer can be about, and the facts that it can name. */
export function useAnswerForm() {
  return useQuery({
    queryKey: [...answersKey, "form"],
    queryFn: async ({ signal }) =>
      dataOf(await dashboardApi.GET("/api/dashboard/answer-form", { signal })),
    staleTime: 0,
  });
}

/** An answer that is to be changed; nothing is asked without a slug. */
export function useAnswer(id: string | undefined) {
  return useQuery({
    queryKey: [...answersKey, "one", id],
    queryFn: async ({ signal }) => {
      const params = { path: { id: id ?? "" } };
      return dataOf(await dashboardApi.GET("/api/dashboard/answers/{id}", { params, signal }));
    },
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Publishes an answer; every number may be another one afterwards. */
export function useTeach() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: AnswerDraft) =>
      dataOf(await dashboardApi.POST("/api/dashboard/answers", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [dashboardKey] }),
  });
}

export function useUndo(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["AnswerUndoing"]) =>
      dashboardApi.POST("/api/dashboard/answers/{id}/undo", { params: { path: { id } }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: [dashboardKey] }),
  });
}

type Progress = Schemas["PreviewProgress"];

/** Reads what an answer would change to its end, telling how far that has come. */
async function preview(draft: AnswerDraft, signal: AbortSignal, onProgress: (p: Progress) => void) {
  const { body } = await send("/api/dashboard/answers/preview", { body: draft, signal });
  for await (const { name, data } of readEvents(body as ReadableStream<Uint8Array>)) {
    const told = JSON.parse(data);
    if (name === "progress") onProgress(told);
    if (name === "done") return told as Schemas["AnswerPreview"];
    if (name === "error") throw new ApiError(told.message, told.status, data);
  }
  throw new TypeError("the preview broke off");
}

/** Tries an answer against what was asked; leaving the page ends that. */
export function usePreview() {
  const running = useRef<AbortController>(undefined);
  const [progress, setProgress] = useState<Progress>();
  const mutation = useMutation({
    mutationFn: (draft: AnswerDraft) => {
      running.current = new AbortController();
      setProgress(undefined);
      return preview(draft, running.current.signal, setProgress);
    },
  });
  useEffect(() => () => running.current?.abort(), []);
  const stop = () => {
    running.current?.abort();
    mutation.reset();
  };
  return { ...mutation, progress, stop };
}
