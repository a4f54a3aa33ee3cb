import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useState,
} from "react";
import { chatTexts } from "../content/chat";
import { fill } from "../content/fill";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { glyph } from "../ui/icons";
import { controls, useChat } from "./visit";

const SendIcon = glyph(<path d="M4.5 12h8M4.7 5.2 20 12 4.7 18.8l-1-5.3v-3Z" />);

/** The server takes no longer message. */
const maxLength = 1000;
/** How many characters before that the visitor is warned. */
const nearLimit = 100;

interface ComposerProps {
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly takesFocus: boolean;
}

/** The line to write in. */
export function Composer({ input, takesFocus }: ComposerProps) {
  const pending = useChat((chat) => chat.pending);
  const [text, setText] = useState("");
  const { length } = text.trim();
  const tooLong = length > maxLength;
  const blocked = pending || length === 0 || tooLong;
  const counter = useId();

  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus, input]);

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (blocked) return;
    // Another tab may have been quicker: what was written stays.
    if (!controls.send(text)) return;
    setText("");
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };

  return (
    <form className="border-sand-200 border-t bg-white tight:p-2 p-3" onSubmit={submit}>
      <div className="flex items-end gap-2">
        {/* Read-only instead of disabled: a disabled field would lose the focus. */}
        <textarea
          aria-describedby={counter}
          aria-disabled={pending}
          aria-invalid={tooLong}
          aria-label={chatTexts.input}
          className="field-sizing-content max-h-28 min-h-11 flex-1 resize-none rounded-xl border border-ink-400 px-3.5 py-2.5 text-base text-ink-900 leading-[1.4] placeholder:text-ink-500 focus-visible:border-teal-600 focus-visible:outline-1 focus-visible:outline-offset-0 aria-disabled:bg-sand-100 aria-disabled:text-ink-500 aria-invalid:border-bad-600"
          enterKeyHint="send"
          onChange={(event) => setText(event.target.value)}
          onFocus={controls.engage}
          onKeyDown={onKeyDown}
          placeholder={chatTexts.placeholder}
          readOnly={pending}
          ref={input}
          rows={1}
          value={text}
        />
        <Button aria-disabled={blocked} aria-label={chatTexts.send} size="icon" type="submit">
          <SendIcon className="size-5" />
        </Button>
      </div>
      <p
        className={classes("not-empty:mt-2 text-[0.8125rem] leading-4", tooLong && "text-bad-700")}
        id={counter}
        role="status"
      >
        {tooLong && fill(chatTexts.tooLong, { most: maxLength, length })}
        {!tooLong && length > maxLength - nearLimit && `${length} / ${maxLength}`}
      </p>
      <p className="tight:mt-1 mt-2 text-[0.8125rem] text-ink-500 leading-4">{chatTexts.notice}</p>
    </form>
  );
}
