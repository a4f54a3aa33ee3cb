import { classes } from "./classes";

/** A grey block in the place of what is being loaded. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div className={classes("animate-pulse rounded-md bg-sand-200", className)} />;
}
