import { type Ref, useEffect, useState } from "react";
import { SearchIcon } from "./icons";

/** How long typing must rest until it is searched for, in milliseconds. */
const rest = 400;

interface SearchFieldProps {
  readonly value: string;
  readonly onSearch: (text: string | undefined) => void;
  readonly field?: Ref<HTMLInputElement> | undefined;
  readonly label: string;
  readonly placeholder: string;
  readonly hint: string;
}

/** A field that is searched for once typing rests. */
export function SearchField(props: SearchFieldProps) {
  const { value, onSearch, field, label, placeholder, hint } = props;
  const [typed, setTyped] = useState<string>();
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => {
      setTyped(undefined);
      if (typed.trim() !== value) onSearch(typed.trim() || undefined);
    }, rest);
    return () => clearTimeout(timer);
  });
  return (
    <div className="relative w-full sm:w-48">
      <SearchIcon className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-ink-500" />
      <input
        aria-label={label}
        className="min-h-9 w-full rounded-lg border border-sand-300 bg-white pr-2 pl-8 text-ink-900 text-sm placeholder:text-ink-500"
        maxLength={200}
        onChange={({ target }) => setTyped(target.value)}
        placeholder={placeholder}
        ref={field}
        title={hint}
        type="search"
        value={typed ?? value}
      />
    </div>
  );
}
