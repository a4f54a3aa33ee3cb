import { useEffect, useRef } from "react";
import { chatTexts } from "../content/chat";
import { classes } from "../ui/classes";
import { ThumbDownIcon, ThumbUpIcon } from "../ui/icons";
import type { ChatMessage } from "./state";
import { controls } from "./visit";

const thumbs = [
  ["positive", ThumbUpIcon],
  ["negative", ThumbDownIcon],
] as const;

/** What an answer was worth; the same button takes it back. It is no part of what is read out. */
export function Rating({ message }: { readonly message: ChatMessage }) {
  const { label } = chatTexts.rating;
  return (
    <fieldset aria-label={label} aria-live="off" className="flex pl-1">
      {thumbs.map(([rating, Icon]) => {
        const pressed = message.rating === rating;
        return (
          <button
            aria-label={chatTexts.rating[rating]}
            aria-pressed={pressed}
            className={classes(
              "grid size-8 place-items-center rounded-full hover:bg-sand-200",
              pressed ? "bg-teal-100 text-teal-800" : "text-ink-500",
            )}
            key={rating}
            onClick={() => controls.rate(message, rating)}
            title={chatTexts.rating[rating]}
            type="button"
          >
            <Icon className="size-4" />
          </button>
        );
      })}
    </fieldset>
  );
}

const reasons = ["unrelated", "incomplete", "incorrect"] as const;

/** What is wrong with an answer that was no help: three words to press. */
export function RatingReasons({ message }: { readonly message: ChatMessage }) {
  const { label, ...names } = chatTexts.rating.reasons;
  const root = useRef<HTMLFieldSetElement>(null);
  // Below the last answer they would come outside of what is seen.
  useEffect(() => {
    root.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <fieldset aria-live="off" className="-mt-1 flex flex-wrap gap-1.5" ref={root}>
      <legend className="mb-1.5 text-[0.8125rem] text-ink-600">{label}</legend>
      {reasons.map((reason) => (
        <button
          aria-pressed={message.ratingReason === reason}
          className="min-h-9 rounded-full border border-sand-300 bg-white px-3 text-[0.8125rem] text-ink-700 hover:bg-sand-100 aria-pressed:border-teal-600 aria-pressed:bg-teal-100 aria-pressed:text-teal-800"
          key={reason}
          onClick={() => controls.rate(message, "negative", reason)}
          type="button"
        >
          {names[reason]}
        </button>
      ))}
    </fieldset>
  );
}
