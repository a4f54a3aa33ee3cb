import { useState } from "react";
import { initialsOf } from "./images";

interface AvatarProps {
  readonly name: string;
  readonly imageUrl?: string | undefined;
}

/** A person's picture, or the initials of the name where there is none. */
export function Avatar({ name, imageUrl }: AvatarProps) {
  const [failed, setFailed] = useState(false);
  return (
    <span
      aria-hidden="true"
      className="grid size-12 shrink-0 place-items-center overflow-hidden rounded-full bg-teal-100 font-semibold text-teal-800"
    >
      {imageUrl && !failed ? (
        <img
          alt=""
          className="size-full object-cover"
          height="48"
          loading="lazy"
          onError={() => setFailed(true)}
          src={imageUrl}
          width="48"
        />
      ) : (
        initialsOf(name)
      )}
    </span>
  );
}
