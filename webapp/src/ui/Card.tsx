import type { HTMLAttributes } from "react";
import { classes } from "./classes";

/** A white box with a border and rounded corners. */
export function Card({ className, ...rest }: HTMLAttributes<HTMLDivElement>) {
  return (
    <div
      {...rest}
      className={classes("rounded-card border border-sand-200 bg-white shadow-card", className)}
    />
  );
}
