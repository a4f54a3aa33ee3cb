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
  const { label, ...names } = chatTexts.rating;
  return (
    <fieldset aria-label={label} aria-live="off" className="flex pl-1">
      {thumbs.map(([rating, Icon]) => {
        const pressed = message.rating === rating;
        return (
          <button
            aria-label={names[rating]}
            aria-pressed={pressed}
            className={classes(
              "grid size-8 place-items-center rounded-full hover:bg-sand-200",
              pressed ? "bg-teal-100 text-teal-800" : "text-ink-500",
            )}
            key={rating}
            onClick={() => controls.rate(message, rating)}
            title={names[rating]}
            type="button"
          >
            <Icon className="size-4" />
          </button>
        );
      })}
    </fieldset>
  );
}
